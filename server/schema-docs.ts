import { findMetric, findProbe, findProfile, type KnownMetric } from '../core/checks/knowledge';
import { type Dimension, unitsOf } from '../core/document/quantity';
import type { SchemaNode } from '../core/document/schema-walk';

/** Words of the schemas as Markdown, for hover and completion. Nothing from a file is ever trusted as Markdown. */

const TYPE_WORDS: Record<string, string> = { string: 'text', integer: 'whole number', number: 'number', boolean: 'true or false', array: 'list', object: 'map' };

export function describeSchema(node: SchemaNode, key: string): string {
  const parts = [
    `**${node.title ?? key}**${key === '' || node.title === key ? '' : ` \`${key}\``}`,
    node.description ?? '',
    typeLine(node),
    allowedValues(node),
    node.default === undefined ? '' : `Default: \`${String(node.default)}\``,
    exampleLine(node),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function typeLine(node: SchemaNode): string {
  if (node.const !== undefined || node.enum) return '';
  const quantity = node['x-quantity'];
  if (quantity !== undefined) return quantityLine(quantity);
  const types = [node.type].flat().flatMap((type) => (type === undefined ? [] : [TYPE_WORDS[type] ?? type]));
  const bounds = [node.minimum === undefined ? '' : `at least ${node.minimum}`, node.maximum === undefined ? '' : `at most ${node.maximum}`].filter(Boolean);
  const format = node.format === undefined ? '' : ` (${node.format})`;
  return types.length === 0 ? '' : `Type: ${types.join(' or ')}${format}${bounds.length > 0 ? `, ${bounds.join(', ')}` : ''}`;
}

function quantityLine(quantity: string): string {
  if (quantity === 'any') return 'Type: number with its unit, or a bare number for counts and ratios';
  if (quantity === 'metric') return 'Type: number in a unit of the metric; text for metrics that are text';
  return `Unit: ${unitsOf(quantity as Dimension).map((unit) => `\`${unit}\``).join(' ')}`;
}

function allowedValues(node: SchemaNode): string {
  const values = node.const === undefined ? node.enum : [node.const];
  if (!values) return '';
  const describe = node['x-enumDescriptions'];
  return ['Allowed:', ...values.map((value) => `- \`${String(value)}\`${describe?.[String(value)] ? `: ${describe[String(value)]}` : ''}`)].join('\n');
}

function exampleLine(node: SchemaNode): string {
  const examples = (node.examples ?? []).filter((example) => example !== '').slice(0, 3);
  if (examples.length === 0) return '';
  return `Example: ${examples.map((example) => code(typeof example === 'string' ? example : JSON.stringify(example))).join(', ')}`;
}

export function describeMetric(metric: KnownMetric): string {
  const better = metric.better === undefined ? '' : `; ${metric.better} is better`;
  return [
    `**${metric.title}** \`${metric.metric}\``,
    metric.valueType === 'text' ? 'A text: compare with `==`, `!=` or `in`.' : `Unit: ${metric.unit === undefined ? 'none (count or ratio)' : `\`${metric.unit}\``}${better}`,
    metric.labels && metric.labels.length > 0 ? `Labels: ${metric.labels.map(code).join(' ')}` : '',
    `Reported by ${metric.probes.map(code).join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What is known of a value: a metric, a probe, a hardware profile. */
export function describeValue(reference: string | undefined, value: string): string | undefined {
  switch (reference) {
    case 'metric': {
      const metric = findMetric(value);
      return metric && describeMetric(metric);
    }
    case 'probe': {
      const probe = findProbe(value);
      return probe && `**${probe.title}** \`${probe.id}\`\n\n${probe.proves}\n\nMetrics: ${probe.metrics.map(({ metric }) => code(metric)).join(' ')}`;
    }
    case 'profile': {
      const profile = findProfile(value);
      return profile && `**${profile.name}** \`${profile.id}\`\n\nMemory: ${profile.memory.perGpu}${profile.memory.bandwidth === undefined ? '' : `, ${profile.memory.bandwidth}`}`;
    }
    default:
      return undefined;
  }
}

/** Text as inline code, whatever backticks it holds. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
