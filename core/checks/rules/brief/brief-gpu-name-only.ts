import type { CheckContext, Rule } from '../../contract';
import { isBegun, saysSomething } from '../../missing-rule';

const GPU = /\b(?:[ABH][1-3]00|GH200|GB[23]00|L40S?|L4|A10G?|A40|V100|T4|MI[23]\d\d[AX]?|RTX ?(?:PRO )?\d{4})\b/i;
const PRICE = /(?:[$€£]|\b(?:USD|EUR|GBP)\b)\s*\d|\d\s*(?:[$€£]|(?:USD|EUR|GBP)\b)|\bcheapest\b|\bper (?:GPU[- ])?hour\b/i;

export const rule: Rule = {
  id: 'brief-gpu-name-only',
  title: 'GPU name or price as the only requirement',
  severity: 'warning',
  appliesTo: ['brief'],
  docs: {
    why: '"We need an H100" says nothing of driver, topology, storage or restore path, so any machine with that name seems to fit, and the misfit shows in production.',
    advice: 'Say what must fit into memory and which bound must hold at which load; then see which machines can.',
  },
  check: (context) => {
    const what = isBegun(context) && !saysWhatItNeeds(context) ? onlyWish(context) : undefined;
    return what ? [{ message: `${what.name} is all that this brief demands; say what the work needs (memoryShape, performanceObjectives).`, ...context.at(what.path) }] : [];
  },
};

const saysWhatItNeeds = ({ brief }: CheckContext): boolean => saysSomething(brief?.memoryShape) || saysSomething(brief?.performanceObjectives);

function onlyWish({ brief }: CheckContext): { name: string; path: string[] } | undefined {
  if (saysSomething(brief?.layers?.capacity?.gpuModel)) return { name: 'A GPU model', path: ['layers', 'capacity', 'gpuModel'] };
  const texts = (['description', 'name', 'acceptanceWorkload'] as const).map((key) => ({ path: [key], text: brief?.[key] ?? '' }));
  const gpu = texts.find(({ text }) => GPU.test(text));
  if (gpu) return { name: 'A GPU name', path: gpu.path };
  const price = texts.find(({ text }) => PRICE.test(text));
  return price && { name: 'A price', path: price.path };
}
