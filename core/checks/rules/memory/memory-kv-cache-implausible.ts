import { bytesOf, computedParts, formatGiB } from '../../../document/memory-shape';
import type { Rule } from '../../contract';
import { computedFix } from '../../memory-need';

/** Not all sequences are of full length, and some attention keeps less: only a large difference is a mistake. */
const LARGEST_FACTOR = 2;

export const rule: Rule = {
  id: 'memory-kv-cache-implausible',
  title: 'KV cache that does not follow from context and concurrency',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: { why: 'A KV cache that is too small preempts requests under load: latency jumps at exactly the load that was bought for.', source: 'Kwon et al., PagedAttention (2023): 2 × layers × KV heads × head size × bytes × tokens' },
  check: (context) => {
    const { brief } = context;
    const stated = bytesOf(brief?.memoryShape?.kvCache ?? '');
    const computed = brief && computedParts(brief).kvCache;
    if (stated === undefined || !computed) return [];
    const { concurrency, contextTokens, kvCache } = brief!.memoryShape!;
    const place = { ...context.at(['memoryShape', 'kvCache']), fixes: computedFix(context, 'kvCache', computed) };
    const full = `${concurrency} sequences of ${contextTokens} tokens need ${formatGiB(computed.bytes)}`;
    if (stated * LARGEST_FACTOR < computed.bytes) return [{ message: `${full}; ${kvCache} holds ${Math.floor((stated / computed.bytes) * concurrency!)} of them.`, ...place }];
    return stated > computed.bytes * LARGEST_FACTOR ? [{ message: `${full}, far less than ${kvCache}.`, ...place }] : [];
  },
};
