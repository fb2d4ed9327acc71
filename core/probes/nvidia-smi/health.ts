import type { ResultCollector } from '../text/result-collector';

/** One measured value of one GPU, as the health rules see it. */
export interface GpuValue {
  metric: string;
  value: number | string;
  gpu: string;
  line: number;
}

interface HealthRule {
  when(value: number | string): boolean;
  kind: 'fault' | 'doubt' | 'warning';
  code: string;
  message(value: number | string): string;
}

const isYes = (value: number | string): boolean => /^(?:yes|true|1)$/i.test(String(value));
const isActive = (value: number | string): boolean => /^active$/i.test(String(value));
const isCounted = (value: number | string): boolean => typeof value === 'number' && value > 0;

const fault = (code: string, when: HealthRule['when'], message: HealthRule['message']): HealthRule => ({ kind: 'fault', code, when, message });
const warning = (code: string, when: HealthRule['when'], message: HealthRule['message']): HealthRule => ({ kind: 'warning', code, when, message });

const slowedDown = (why: string): HealthRule => warning('gpu.slowdown', isActive, () => `clocks are lowered: ${why}`);
const uncorrected = fault('gpu.ecc-uncorrected', isCounted, (value) => `${value} uncorrected memory errors since the driver was loaded`);
const uncorrectedBefore = warning('gpu.ecc-history', isCounted, (value) => `${value} uncorrected memory errors in its lifetime`);

/** Bits of the clock event mask (nvml.h, `nvmlClocksEventReason*`) that a healthy idle or loaded GPU does not set. */
const SLOWDOWN_BITS = 0x8n | 0x20n | 0x40n | 0x80n;

/**
 * Which values prove a fault by themselves, without a card's threshold. Sources: NVIDIA GPU Memory Error Management (a
 * pending remap or retirement needs a reset before new work, a failed remap a new GPU), NVML notes on the recovery action
 * and on the fabric state (CUDA cannot start on an NVSwitch machine before registration has completed).
 */
const RULES: Readonly<Record<string, HealthRule>> = {
  'gpu.remap.failure': fault('gpu.remap-failure', isYes, () => 'a row remap failed: replace the GPU'),
  'gpu.remap.pending': fault('gpu.remap-pending', isYes, () => 'a row remap is pending: reset the GPU before use'),
  'gpu.retired_pages.pending': fault('gpu.retired-pages-pending', isYes, () => 'a page retirement is pending: reset the GPU before use'),
  'gpu.ecc.uncorrected.volatile': uncorrected,
  'gpu.ecc.uncorrected.volatile.dram': uncorrected,
  'gpu.ecc.uncorrected.volatile.sram': uncorrected,
  'gpu.ecc.uncorrected.volatile.device_memory': uncorrected,
  'gpu.ecc.uncorrected.volatile.sram_parity': uncorrected,
  'gpu.ecc.uncorrected.volatile.sram_secded': uncorrected,
  'gpu.ecc.uncorrected.aggregate': uncorrectedBefore,
  'gpu.remap.uncorrectable': warning('gpu.remap-history', isCounted, (value) => `${value} rows were remapped after uncorrectable errors`),
  'gpu.ecc.sram_threshold_exceeded': fault('gpu.sram-threshold', isYes, () => 'the SRAM error threshold is exceeded: replace the GPU'),
  'gpu.recovery_action': fault('gpu.recovery-action', (value) => !/^none$/i.test(String(value)), (value) => `the driver asks for a recovery action: ${value}`),
  'gpu.repair.channel_pending': fault('gpu.repair-pending', isYes, () => 'a memory channel repair is pending: reset the GPU before use'),
  'gpu.repair.tpc_pending': fault('gpu.repair-pending', isYes, () => 'a TPC repair is pending: reset the GPU before use'),
  'gpu.repair.unrepairable_memory': fault('gpu.unrepairable-memory', isYes, () => 'it has memory that cannot be repaired: replace the GPU'),
  'gpu.reset_required': fault('gpu.reset-required', isYes, () => 'the GPU requires a reset'),
  'gpu.inforom.checksum': warning('gpu.inforom-invalid', (value) => !/^valid$/i.test(String(value)), (value) => `the infoROM checksum is ${value}`),
  'gpu.fabric.state': {
    kind: 'doubt',
    code: 'gpu.fabric-not-ready',
    when: (value) => !/^(?:completed|not supported)$/i.test(String(value)),
    message: (value) => `the NVLink fabric is not ready (${value}): check the fabric manager`,
  },
  'gpu.fabric.status': fault('gpu.fabric-status', (value) => !/^success$/i.test(String(value)), (value) => `the NVLink fabric registration ended with "${value}"`),
  'gpu.fabric.health': warning('gpu.fabric-health', (value) => !/^healthy$/i.test(String(value)), (value) => `the NVLink fabric health is "${value}"`),
  'gpu.throttle.hw_slowdown': slowedDown('hardware slowdown'),
  'gpu.throttle.hw_thermal_slowdown': slowedDown('the hardware is too hot'),
  'gpu.throttle.hw_power_brake_slowdown': slowedDown('external power brake'),
  'gpu.throttle.sw_thermal_slowdown': slowedDown('the GPU is too hot'),
  'gpu.throttle.reasons': warning('gpu.slowdown', hasSlowdownBit, (value) => `clocks are lowered by a slowdown (mask ${value})`),
};

function hasSlowdownBit(value: number | string): boolean {
  return /^0x[0-9a-f]{1,16}$/i.test(String(value)) && (BigInt(String(value)) & SLOWDOWN_BITS) !== 0n;
}

/** Records what a value says about the GPU's health. */
export function judgeGpuValue({ metric, value, gpu, line }: GpuValue, collector: ResultCollector): void {
  const rule = RULES[metric];
  if (!rule?.when(value)) return;
  const message = `GPU ${gpu}: ${rule.message(value)}.`;
  if (rule.kind === 'fault') collector.fault(rule.code, message, line);
  else if (rule.kind === 'doubt') collector.doubt(rule.code, message, line);
  else collector.remark('warning', rule.code, message, line);
}
