import type { ProbeDefinition } from '../contract';
import { ID, NcclTestsParser, PARSER } from './parser';
import { planCollective } from './plan';

const labels = ['collective', 'type', 'redop', 'sizeBytes', 'place'];

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'NCCL collective',
  proves: 'How fast the GPUs exchange data by message size, and whether the data is right.',
  metrics: [
    { metric: 'nccl.busbw', title: 'Bus bandwidth', unit: 'GB/s', valueType: 'number', labels, better: 'higher', needsIdleGpus: true },
    { metric: 'nccl.algbw', title: 'Algorithm bandwidth', unit: 'GB/s', valueType: 'number', labels, better: 'higher', needsIdleGpus: true },
    { metric: 'nccl.time', title: 'Time of one operation', unit: 'us', valueType: 'number', labels, better: 'lower', needsIdleGpus: true },
    { metric: 'nccl.wrong', title: 'Wrong values', valueType: 'number', labels, better: 'lower' },
    { metric: 'nccl.avg_busbw', title: 'Mean bus bandwidth over all sizes', unit: 'GB/s', valueType: 'number', better: 'higher', needsIdleGpus: true },
    { metric: 'nccl.ranks', title: 'Ranks', valueType: 'number' },
    { metric: 'nccl.nodes', title: 'Nodes', valueType: 'number' },
  ],
  createParser: (options) => new NcclTestsParser(options),
  plan: planCollective,
};
