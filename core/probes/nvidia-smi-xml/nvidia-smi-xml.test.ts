import { describe, expect, it } from 'vitest';
import type { ParseResult } from '../contract';
import { uuidOf } from '../nvidia-smi/testing/fixtures';
import { parseText } from '../parse';
import { expectNeverCleaner } from '../testing/mutations';
import { probe } from './index';

interface Shape {
  schema: 'v11' | 'v12' | 'v13';
  remap?: string;
  extra?: string;
}

const POWER = {
  v11: '<power_readings><power_draw>71.02 W</power_draw><power_limit>300.00 W</power_limit></power_readings>',
  v12: '<gpu_power_readings><power_draw>71.02 W</power_draw><current_power_limit>300.00 W</current_power_limit></gpu_power_readings>',
  v13: '<gpu_power_readings><average_power_draw>71.02 W</average_power_draw><instant_power_draw>70.11 W</instant_power_draw></gpu_power_readings>',
};

const gpuXml = (gpu: number, { schema, remap = 'No', extra = '' }: Shape): string => `\t<gpu id="00000000:0${gpu + 1}:00.0">
\t\t<product_name>NVIDIA RTX &amp; Test 6000</product_name>
\t\t<mig_mode>
\t\t\t<current_mig>N/A</current_mig>
\t\t</mig_mode>
\t\t<mig_devices>
\t\t\tNone
\t\t</mig_devices>
\t\t<uuid>${uuidOf(gpu)}</uuid>
\t\t<pci><pci_bus_id>00000000:0${gpu + 1}:00.0</pci_bus_id>
\t\t\t<pci_gpu_link_info><link_widths><max_link_width>16x</max_link_width></link_widths></pci_gpu_link_info>
\t\t</pci>
\t\t<fb_memory_usage><total>49140 MiB</total></fb_memory_usage>
\t\t<ecc_errors><volatile><dram_uncorrectable>0</dram_uncorrectable></volatile></ecc_errors>
\t\t<remapped_rows>
\t\t\t<remapped_row_pending>${remap}</remapped_row_pending>
\t\t</remapped_rows>
\t\t<temperature><gpu_temp>41 C</gpu_temp><memory_temp>N/A</memory_temp></temperature>
\t\t${POWER[schema]}
\t\t${extra}
\t\t<processes>
\t\t\t<process_info><pid>812</pid></process_info>
\t\t</processes>
\t</gpu>
`;

const documentOf = (shape: Shape, gpus = 2): string => `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_${shape.schema}.dtd">
<nvidia_smi_log>
\t<timestamp>Mon Mar  2 10:11:12 2026</timestamp>
\t<driver_version>575.57.08</driver_version>
\t<cuda_version>12.9</cuda_version>
\t<attached_gpus>2</attached_gpus>
${Array.from({ length: gpus }, (_, gpu) => gpuXml(gpu, gpu === 1 ? shape : { schema: shape.schema })).join('')}
</nvidia_smi_log>
`;

const find = ({ measurements }: ParseResult, metric: string, gpu = '1'): number | string | undefined =>
  measurements.find((found) => found.metric === metric && found.labels?.['gpu'] === gpu)?.value;

describe('nvidia-smi -q -x', () => {
  it.each([['v11', 'gpu.power.draw'], ['v12', 'gpu.power.draw'], ['v13', 'gpu.power.draw.average']] as const)('reads schema %s', (schema, powerMetric) => {
    const result = parseText(probe, documentOf({ schema }));
    expect(result).toMatchObject({ outcome: 'measured', context: { schema, cudaVersion: '12.9' } });
    expect(result.measurements).toContainEqual({ metric: 'gpu.count', value: 2 });
    expect(find(result, 'gpu.name')).toBe('NVIDIA RTX & Test 6000');
    expect(find(result, 'gpu.driver')).toBe('575.57.08');
    expect(find(result, 'gpu.memory.total')).toBe(49140);
    expect(find(result, 'gpu.pcie.width.max')).toBe(16);
    expect(find(result, 'gpu.temperature')).toBe(41);
    expect(find(result, 'gpu.processes')).toBe(1);
    expect(find(result, powerMetric)).toBe(71.02);
    expect(find(result, 'gpu.temperature.memory')).toBeUndefined();
    expect(find(result, 'gpu.mig.mode')).toBeUndefined();
  });

  it.each([
    [{ remap: 'Yes' }, 'failed', 'gpu.remap-pending'],
    [{ extra: '<gpu_recovery_action>Drain P2P</gpu_recovery_action>' }, 'failed', 'gpu.recovery-action'],
    [{ extra: '<utilization><gpu_util>GPU is lost</gpu_util></utilization>' }, 'failed', 'nvidia-smi.gpu-fault'],
    [{ extra: '<utilization><gpu_util>Unknown Error</gpu_util></utilization>' }, 'inconclusive', 'nvidia-smi.cell-error'],
    [{ extra: '<fabric><state>In Progress</state></fabric>' }, 'inconclusive', 'gpu.fabric-not-ready'],
    [{ extra: '<clocks_throttle_reasons><clocks_throttle_reason_hw_slowdown>Active</clocks_throttle_reason_hw_slowdown></clocks_throttle_reasons>' }, 'measured', 'gpu.slowdown'],
  ] as const)('judges %j as %s', (change, outcome, code) => {
    const result = parseText(probe, documentOf({ schema: 'v12', ...change }));
    expect(result.outcome).toBe(outcome);
    expect(result.reasons.map((reason) => reason.code)).toContain(code);
  });

  it.each([
    ['fewer GPUs than attached', documentOf({ schema: 'v12' }, 1)],
    ['a cut document', documentOf({ schema: 'v12' }).slice(0, -30)],
    ['an element that is closed twice', documentOf({ schema: 'v12' }).replace('</fb_memory_usage>', '</fb_memory_usage></fb_memory_usage>')],
    ['another document', '<html><body>502</body></html>'],
    ['a value that stands twice in a GPU', documentOf({ schema: 'v12' }).replace('</remapped_row_pending>', '</remapped_row_pending><remapped_row_pending>Yes</remapped_row_pending>')],
    ['two documents', documentOf({ schema: 'v12' }) + documentOf({ schema: 'v12' })],
    ['nothing', ''],
  ])('is inconclusive with %s', (_what, text) => {
    expect(parseText(probe, text).outcome).toBe('inconclusive');
  });

  it('reads an error text in front of the document', () => {
    const text = `Unable to determine the device handle for GPU0000:C3:00.0: Unknown Error\n${documentOf({ schema: 'v12' })}`;
    expect(parseText(probe, text).outcome).toBe('failed');
  });

  it('never becomes cleaner when it is damaged', () => {
    expectNeverCleaner(probe, documentOf({ schema: 'v12' }));
    expectNeverCleaner(probe, documentOf({ schema: 'v13', remap: 'Yes' }));
  });
});
