import type { HostCapabilities, ProbeParameters, ProbePlan } from '../contract';
import { planNvidiaSmi } from './plan';

/** Known to every driver since 418 (2019): one unknown name makes nvidia-smi refuse the whole query. */
const LONG_STANDING = [
  'index', 'count', 'uuid', 'name', 'pci.bus_id', 'driver_version', 'vbios_version', 'persistence_mode', 'pstate', 'compute_mode',
  'memory.total', 'memory.used', 'memory.free', 'utilization.gpu', 'utilization.memory', 'temperature.gpu', 'temperature.memory',
  'power.draw', 'power.limit', 'clocks.sm', 'clocks.mem', 'clocks.max.sm', 'clocks.max.mem', 'pcie.link.gen.current',
  'pcie.link.gen.max', 'pcie.link.width.current', 'pcie.link.width.max', 'ecc.mode.current', 'ecc.errors.corrected.volatile.total',
  'ecc.errors.uncorrected.volatile.total', 'ecc.errors.corrected.aggregate.total', 'ecc.errors.uncorrected.aggregate.total',
  'retired_pages.pending',
];

/** Asked for when the host's nvidia-smi lists the name; of several spellings the first one that it lists. */
const NEWER: readonly (readonly string[])[] = [
  ['mig.mode.current'],
  ['power.draw.average'], ['power.draw.instant'], ['enforced.power.limit'],
  ['temperature.gpu.tlimit'], ['pcie.link.gen.gpumax'], ['pcie.link.gen.hostmax'],
  ['clocks_event_reasons.active', 'clocks_throttle_reasons.active'],
  ...['sw_power_cap', 'hw_slowdown', 'hw_thermal_slowdown', 'hw_power_brake_slowdown', 'sw_thermal_slowdown'].map((reason) => [
    `clocks_event_reasons.${reason}`, `clocks_throttle_reasons.${reason}`,
  ]),
  ['ecc.errors.uncorrected.aggregate.sram.thresholdExceeded'], ['ecc.errors.uncorrected.volatile.dram'], ['ecc.errors.uncorrected.volatile.sram'],
  ['remapped_rows.correctable'], ['remapped_rows.uncorrectable'], ['remapped_rows.pending'], ['remapped_rows.failure'],
  ['retired_pages.single_bit_ecc.count'], ['retired_pages.double_bit.count'],
  ['gpu_recovery_action'], ['reset_status.reset_required'], ['inforom.checksum_validation'],
  ['fabric.state'], ['fabric.status'], ['fabric.health.summary'],
];

/** Rows cannot be told apart without it. */
const ALWAYS = ['index', 'uuid'];

export function planQuery(parameters: ProbeParameters, host: HostCapabilities): ProbePlan {
  const asked = askedFields(parameters);
  const known = host.queryGpuFields === undefined ? undefined : new Set(host.queryGpuFields);
  const unknown = known === undefined ? [] : asked.filter((field) => !known.has(field));
  if (unknown.length > 0) {
    const message = `This nvidia-smi does not know ${unknown.join(', ')} and would refuse the whole query. Take these names out of \`fields\`; \`nvidia-smi --help-query-gpu\` lists what it knows.`;
    return { kind: 'unprovable', reason: { code: 'nvidia-smi.invalid-field', severity: 'error', message } };
  }
  const fields = asked.length > 0 ? [...new Set([...ALWAYS, ...asked])] : standardFields(known);
  return planNvidiaSmi(host, [`--query-gpu=${fields.join(',')}`, '--format=csv']);
}

function askedFields({ fields }: ProbeParameters): string[] {
  return Array.isArray(fields) ? fields.filter((field): field is string => typeof field === 'string') : [];
}

function standardFields(known: ReadonlySet<string> | undefined): string[] {
  if (known === undefined) return LONG_STANDING;
  const newer = NEWER.flatMap((spellings) => spellings.find((name) => known.has(name)) ?? []);
  return [...LONG_STANDING.filter((name) => known.has(name)), ...newer];
}
