import type { MetricDescription } from '../contract';

/** One property of a GPU, whatever output of nvidia-smi it comes from. */
export interface GpuField {
  metric: string;
  title: string;
  /** Names in `nvidia-smi --help-query-gpu`, oldest drivers' spellings included. */
  columns: readonly string[];
  /** Paths below `<gpu>` in `nvidia-smi -q -x`, schemas v10 to v13. */
  xml?: readonly string[];
  valueType: 'number' | 'text';
  /** nvidia-smi's spelling of the unit, in the column's title or in the cell. */
  smiUnit?: string;
  /** The unit of the measurement. */
  unit?: string;
  better?: 'higher' | 'lower';
}

type Options = Partial<Omit<GpuField, 'metric' | 'title' | 'columns' | 'valueType'>>;

const text = (metric: string, title: string, columns: string[], options: Options = {}): GpuField => ({ metric, title, columns, valueType: 'text', ...options });
const count = (metric: string, title: string, columns: string[], options: Options = {}): GpuField => ({ metric, title, columns, valueType: 'number', ...options });
const quantity = (unit: string, smiUnit: string) => (metric: string, title: string, columns: string[], options: Options = {}): GpuField => ({
  metric, title, columns, valueType: 'number', unit, smiUnit, ...options,
});
const mebibytes = quantity('MiB', 'MiB');
const watts = quantity('W', 'W');
const percent = quantity('%', '%');
const megahertz = quantity('MHz', 'MHz');
const microseconds = quantity('us', 'us');
const celsius = quantity('Cel', 'C');
const lower = { better: 'lower' } as const;

/** `gpu.throttle.*`: the reasons were called clocks_throttle_reasons before driver 535. */
const throttle = (name: string, title: string, xmlName = name): GpuField =>
  text(`gpu.throttle.${name}`, title, [`clocks_event_reasons.${name}`, `clocks_throttle_reasons.${name}`], {
    xml: [`clocks_event_reasons/clocks_event_reason_${xmlName}`, `clocks_throttle_reasons/clocks_throttle_reason_${xmlName}`],
  });

const ecc = (kind: 'corrected' | 'uncorrected', era: 'volatile' | 'aggregate', part: 'total' | 'dram' | 'sram' | 'device_memory'): GpuField => {
  const [xmlKind, bits] = kind === 'corrected' ? ['correctable', 'single_bit'] : ['uncorrectable', 'double_bit'];
  const isTotal = part === 'total';
  return count(`gpu.ecc.${kind}.${era}${isTotal ? '' : `.${part}`}`, `ECC errors, ${kind}, ${era}${isTotal ? '' : `, ${part}`}`, [`ecc.errors.${kind}.${era}.${part}`], {
    // Schemas before Ampere count single and double bit errors, later ones SRAM and DRAM without a total.
    xml: [isTotal ? `ecc_errors/${era}/${bits}/total` : part === 'device_memory' ? `ecc_errors/${era}/${bits}/device_memory` : `ecc_errors/${era}/${part}_${xmlKind}`],
    ...lower,
  });
};

export const GPU_FIELDS: readonly GpuField[] = [
  text('gpu.name', 'GPU model', ['name', 'gpu_name'], { xml: ['product_name'] }),
  text('gpu.uuid', 'GPU UUID', ['uuid', 'gpu_uuid'], { xml: ['uuid'] }),
  text('gpu.serial', 'Serial number', ['serial', 'gpu_serial'], { xml: ['serial'] }),
  text('gpu.pci', 'PCI bus id', ['pci.bus_id', 'gpu_bus_id'], { xml: ['pci/pci_bus_id'] }),
  text('gpu.pci.device_id', 'PCI device id', ['pci.device_id'], { xml: ['pci/pci_device_id'] }),
  text('gpu.driver', 'Driver version', ['driver_version']),
  text('gpu.vbios', 'VBIOS version', ['vbios_version'], { xml: ['vbios_version'] }),
  text('gpu.inforom.image', 'InfoROM image version', ['inforom.img', 'inforom.image'], { xml: ['inforom_version/img_version'] }),
  text('gpu.inforom.checksum', 'InfoROM checksum validation', ['inforom.checksum_validation']),
  text('gpu.compute_capability', 'CUDA compute capability', ['compute_cap']),
  text('gpu.compute_mode', 'Compute mode', ['compute_mode'], { xml: ['compute_mode'] }),
  text('gpu.persistence_mode', 'Persistence mode', ['persistence_mode'], { xml: ['persistence_mode'] }),
  text('gpu.performance_state', 'Performance state', ['pstate'], { xml: ['performance_state'] }),
  text('gpu.mig.mode', 'MIG mode', ['mig.mode.current'], { xml: ['mig_mode/current_mig'] }),
  text('gpu.mig.mode.pending', 'MIG mode after the next reset', ['mig.mode.pending'], { xml: ['mig_mode/pending_mig'] }),
  text('gpu.virtualization', 'Virtualisation mode', [], { xml: ['gpu_virtualization_mode/virtualization_mode'] }),
  mebibytes('gpu.memory.total', 'Memory', ['memory.total'], { xml: ['fb_memory_usage/total'], better: 'higher' }),
  mebibytes('gpu.memory.used', 'Memory in use', ['memory.used'], { xml: ['fb_memory_usage/used'] }),
  mebibytes('gpu.memory.free', 'Free memory', ['memory.free'], { xml: ['fb_memory_usage/free'] }),
  mebibytes('gpu.memory.reserved', 'Memory reserved by the driver', ['memory.reserved'], { xml: ['fb_memory_usage/reserved'] }),
  percent('gpu.utilization', 'GPU utilisation', ['utilization.gpu'], { xml: ['utilization/gpu_util'] }),
  percent('gpu.utilization.memory', 'Memory utilisation', ['utilization.memory'], { xml: ['utilization/memory_util'] }),
  percent('gpu.fan', 'Fan speed', ['fan.speed'], { xml: ['fan_speed'] }),
  celsius('gpu.temperature', 'GPU temperature', ['temperature.gpu'], { xml: ['temperature/gpu_temp'], ...lower }),
  celsius('gpu.temperature.memory', 'Memory temperature', ['temperature.memory'], { xml: ['temperature/memory_temp'], ...lower }),
  celsius('gpu.temperature.margin', 'Degrees left before the GPU slows down', ['temperature.gpu.tlimit'], { xml: ['temperature/gpu_temp_tlimit'], better: 'higher' }),
  watts('gpu.power.draw', 'Power draw', ['power.draw'], { xml: ['gpu_power_readings/power_draw', 'power_readings/power_draw'] }),
  watts('gpu.power.draw.average', 'Power draw, averaged over a second', ['power.draw.average'], { xml: ['gpu_power_readings/average_power_draw'] }),
  watts('gpu.power.draw.instant', 'Power draw at this moment', ['power.draw.instant'], { xml: ['gpu_power_readings/instant_power_draw'] }),
  watts('gpu.power.limit', 'Power limit', ['power.limit'], {
    xml: ['gpu_power_readings/requested_power_limit', 'gpu_power_readings/power_limit', 'power_readings/power_limit'],
  }),
  watts('gpu.power.limit.enforced', 'Power limit in force', ['enforced.power.limit'], {
    xml: ['gpu_power_readings/current_power_limit', 'gpu_power_readings/enforced_power_limit', 'power_readings/enforced_power_limit'],
  }),
  watts('gpu.power.limit.default', 'Default power limit', ['power.default_limit'], { xml: ['gpu_power_readings/default_power_limit', 'power_readings/default_power_limit'] }),
  watts('gpu.power.limit.max', 'Highest power limit', ['power.max_limit'], { xml: ['gpu_power_readings/max_power_limit', 'power_readings/max_power_limit'] }),
  megahertz('gpu.clock.graphics', 'Graphics clock', ['clocks.current.graphics', 'clocks.gr'], { xml: ['clocks/graphics_clock'] }),
  megahertz('gpu.clock.sm', 'SM clock', ['clocks.current.sm', 'clocks.sm'], { xml: ['clocks/sm_clock'] }),
  megahertz('gpu.clock.memory', 'Memory clock', ['clocks.current.memory', 'clocks.mem'], { xml: ['clocks/mem_clock'] }),
  megahertz('gpu.clock.video', 'Video clock', ['clocks.current.video', 'clocks.video'], { xml: ['clocks/video_clock'] }),
  megahertz('gpu.clock.sm.max', 'Highest SM clock', ['clocks.max.sm'], { xml: ['max_clocks/sm_clock'] }),
  megahertz('gpu.clock.memory.max', 'Highest memory clock', ['clocks.max.memory', 'clocks.max.mem'], { xml: ['max_clocks/mem_clock'] }),
  text('gpu.throttle.reasons', 'Clock event reasons, bit mask', ['clocks_event_reasons.active', 'clocks_throttle_reasons.active']),
  throttle('gpu_idle', 'Clocks lowered: idle'),
  throttle('applications_clocks_setting', 'Clocks lowered: application clocks'),
  throttle('sw_power_cap', 'Clocks lowered: power cap'),
  throttle('hw_slowdown', 'Clocks lowered: hardware slowdown'),
  throttle('hw_thermal_slowdown', 'Clocks lowered: hardware thermal slowdown'),
  throttle('hw_power_brake_slowdown', 'Clocks lowered: power brake'),
  throttle('sw_thermal_slowdown', 'Clocks lowered: software thermal slowdown'),
  throttle('sync_boost', 'Clocks lowered: sync boost'),
  microseconds('gpu.throttle_time.sw_power_cap', 'Time with clocks lowered by the power cap', ['clocks_event_reasons_counters.sw_power_cap'], lower),
  microseconds('gpu.throttle_time.sw_thermal_slowdown', 'Time with clocks lowered by software for heat', ['clocks_event_reasons_counters.sw_thermal_slowdown'], lower),
  microseconds('gpu.throttle_time.hw_thermal_slowdown', 'Time with clocks lowered by hardware for heat', ['clocks_event_reasons_counters.hw_thermal_slowdown'], lower),
  microseconds('gpu.throttle_time.hw_power_brake_slowdown', 'Time with clocks lowered by the power brake', ['clocks_event_reasons_counters.hw_power_brake_slowdown'], lower),
  count('gpu.pcie.generation.current', 'PCIe generation now (low when idle)', ['pcie.link.gen.current'], { xml: ['pci/pci_gpu_link_info/pcie_gen/current_link_gen'] }),
  count('gpu.pcie.generation.max', 'PCIe generation that GPU and host can reach', ['pcie.link.gen.max'], { xml: ['pci/pci_gpu_link_info/pcie_gen/max_link_gen'], better: 'higher' }),
  count('gpu.pcie.generation.gpu_max', 'PCIe generation of the GPU', ['pcie.link.gen.gpumax'], { xml: ['pci/pci_gpu_link_info/pcie_gen/max_device_link_gen'] }),
  count('gpu.pcie.generation.host_max', 'PCIe generation of the host', ['pcie.link.gen.hostmax'], { xml: ['pci/pci_gpu_link_info/pcie_gen/max_host_link_gen'] }),
  count('gpu.pcie.width.current', 'PCIe lanes now', ['pcie.link.width.current'], { xml: ['pci/pci_gpu_link_info/link_widths/current_link_width'], smiUnit: 'x', better: 'higher' }),
  count('gpu.pcie.width.max', 'PCIe lanes', ['pcie.link.width.max'], { xml: ['pci/pci_gpu_link_info/link_widths/max_link_width'], smiUnit: 'x', better: 'higher' }),
  count('gpu.pcie.replays', 'PCIe replays', ['pcie.replay.counter'], { xml: ['pci/replay_counter'], ...lower }),
  text('gpu.ecc.mode', 'ECC mode', ['ecc.mode.current'], { xml: ['ecc_mode/current_ecc'] }),
  text('gpu.ecc.mode.pending', 'ECC mode after the next reset', ['ecc.mode.pending'], { xml: ['ecc_mode/pending_ecc'] }),
  ...(['corrected', 'uncorrected'] as const).flatMap((kind) =>
    (['volatile', 'aggregate'] as const).flatMap((era) => (['total', 'dram', 'sram', 'device_memory'] as const).map((part) => ecc(kind, era, part))),
  ),
  count('gpu.ecc.uncorrected.volatile.sram_parity', 'SRAM parity errors, volatile', ['ecc.errors.uncorrected.volatile.sram.parity'], {
    xml: ['ecc_errors/volatile/sram_uncorrectable_parity'], ...lower,
  }),
  count('gpu.ecc.uncorrected.volatile.sram_secded', 'SRAM SEC-DED errors, volatile', ['ecc.errors.uncorrected.volatile.sram.secded'], {
    xml: ['ecc_errors/volatile/sram_uncorrectable_secded'], ...lower,
  }),
  text('gpu.ecc.sram_threshold_exceeded', 'SRAM error threshold exceeded', ['ecc.errors.uncorrected.aggregate.sram.thresholdExceeded'], {
    xml: ['ecc_errors/aggregate/sram_threshold_exceeded'],
  }),
  count('gpu.retired_pages.single_bit', 'Pages retired after single-bit errors', ['retired_pages.single_bit_ecc.count', 'retired_pages.sbe'], {
    xml: ['retired_pages/multiple_single_bit_retirement/retired_count'], ...lower,
  }),
  count('gpu.retired_pages.double_bit', 'Pages retired after double-bit errors', ['retired_pages.double_bit.count', 'retired_pages.dbe'], {
    xml: ['retired_pages/double_bit_retirement/retired_count'], ...lower,
  }),
  text('gpu.retired_pages.pending', 'A page waits for retirement', ['retired_pages.pending'], {
    xml: ['retired_pages/pending_retirement', 'retired_pages/pending_blacklist'],
  }),
  count('gpu.remap.correctable', 'Rows remapped after correctable errors', ['remapped_rows.correctable'], { xml: ['remapped_rows/remapped_row_corr'], ...lower }),
  count('gpu.remap.uncorrectable', 'Rows remapped after uncorrectable errors', ['remapped_rows.uncorrectable'], { xml: ['remapped_rows/remapped_row_unc'], ...lower }),
  text('gpu.remap.pending', 'A row remap waits for a reset', ['remapped_rows.pending'], { xml: ['remapped_rows/remapped_row_pending'] }),
  text('gpu.remap.failure', 'A row remap failed', ['remapped_rows.failure'], { xml: ['remapped_rows/remapped_row_failure'] }),
  text('gpu.recovery_action', 'What the driver wants done to the GPU', ['gpu_recovery_action'], { xml: ['gpu_recovery_action'] }),
  text('gpu.reset_required', 'The GPU waits for a reset', ['reset_status.reset_required'], { xml: ['gpu_reset_status/reset_required'] }),
  text('gpu.repair.channel_pending', 'A channel repair waits for a reset', [], { xml: ['ecc_errors/channel_repair_pending'] }),
  text('gpu.repair.tpc_pending', 'A TPC repair waits for a reset', [], { xml: ['ecc_errors/tpc_repair_pending'] }),
  text('gpu.repair.unrepairable_memory', 'Memory that cannot be repaired', [], { xml: ['ecc_errors/unrepairable_memory'] }),
  text('gpu.fabric.state', 'NVLink fabric registration', ['fabric.state'], { xml: ['fabric/state'] }),
  text('gpu.fabric.status', 'NVLink fabric status', ['fabric.status'], { xml: ['fabric/status'] }),
  text('gpu.fabric.health', 'NVLink fabric health', ['fabric.health.summary'], { xml: ['fabric/health/summary'] }),
];

/** Descriptions for a probe that reads these fields. */
export function describeFields(fields: readonly GpuField[]): MetricDescription[] {
  return fields.map(({ metric, title, unit, valueType, better }) => ({
    metric,
    title,
    valueType,
    labels: ['gpu'],
    ...(unit === undefined ? {} : { unit }),
    ...(better === undefined ? {} : { better }),
  }));
}
