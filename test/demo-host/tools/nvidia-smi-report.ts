import { CUDA, DRIVER, GPU_NAME, type Gpu, type Machine } from '../machine';

const MEMORY_MIB = 81_559;

/** The `-q -x` document of schema 12, with the sections that say something of a machine's health. */
export function xmlReport(machine: Machine): string {
  const gpus = machine.gpus.map((gpu, index) => gpuElement(gpu, index, machine)).join('');
  return `<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">\n<nvidia_smi_log>\n\t<timestamp>${new Date().toUTCString()}</timestamp>\n\t<driver_version>${DRIVER}</driver_version>\n\t<cuda_version>${CUDA}</cuda_version>\n\t<attached_gpus>${machine.gpus.length}</attached_gpus>\n${gpus}</nvidia_smi_log>\n`;
}

function gpuElement({ uuid, busId, temperatureCel, powerW }: Gpu, index: number, { scenario }: Machine): string {
  const isPending = index === scenario.remapPendingGpu;
  return `\t<gpu id="${busId}">
\t\t<product_name>${GPU_NAME}</product_name>
\t\t<persistence_mode>Enabled</persistence_mode>
\t\t<mig_mode>
\t\t\t<current_mig>Disabled</current_mig>
\t\t\t<pending_mig>Disabled</pending_mig>
\t\t</mig_mode>
\t\t<mig_devices>
\t\t\tNone
\t\t</mig_devices>
\t\t<uuid>${uuid}</uuid>
\t\t<pci>
\t\t\t<pci_bus_id>${busId}</pci_bus_id>
\t\t\t<pci_gpu_link_info>
\t\t\t\t<link_widths>
\t\t\t\t\t<max_link_width>16x</max_link_width>
\t\t\t\t\t<current_link_width>16x</current_link_width>
\t\t\t\t</link_widths>
\t\t\t</pci_gpu_link_info>
\t\t</pci>
\t\t<fb_memory_usage>
\t\t\t<total>${MEMORY_MIB} MiB</total>
\t\t</fb_memory_usage>
\t\t<remapped_rows>
\t\t\t<remapped_row_corr>0</remapped_row_corr>
\t\t\t<remapped_row_unc>${isPending ? 1 : 0}</remapped_row_unc>
\t\t\t<remapped_row_pending>${isPending ? 'Yes' : 'No'}</remapped_row_pending>
\t\t\t<remapped_row_failure>No</remapped_row_failure>
\t\t</remapped_rows>
\t\t<temperature>
\t\t\t<gpu_temp>${temperatureCel.toFixed(0)} C</gpu_temp>
\t\t</temperature>
\t\t<gpu_power_readings>
\t\t\t<power_draw>${powerW.toFixed(2)} W</power_draw>
\t\t\t<current_power_limit>700.00 W</current_power_limit>
\t\t</gpu_power_readings>
\t\t<processes>
\t\t</processes>
\t</gpu>
`;
}

const WIDTHS = [41, 24, 22];
const line = (fill: string, [left, join, right]: string): string => `${left}${WIDTHS.map((width) => fill.repeat(width)).join(join)}${right}\n`;
const cells = (...texts: string[]): string => `|${texts.map((text, index) => (index === 2 ? text.padStart(WIDTHS[index]! - 1).padEnd(WIDTHS[index]!) : text.padEnd(WIDTHS[index]!))).join('|')}|\n`;

/** What `nvidia-smi` without arguments shows. */
export function summaryTable({ gpus, random }: Machine): string {
  const wide = WIDTHS.reduce((sum, width) => sum + width, WIDTHS.length - 1);
  const heading = `|${` NVIDIA-SMI ${DRIVER}             Driver Version: ${DRIVER}     CUDA Version: ${CUDA}`.padEnd(wide)}|\n`;
  const rows = gpus.map(({ index, busId, temperatureCel, powerW }) =>
    [
      cells(` ${String(index).padStart(2)}  ${GPU_NAME.padEnd(28)}  On`, `   ${busId} Off`, '0'),
      cells(` N/A   ${temperatureCel.toFixed(0)}C    P0    ${powerW.toFixed(0).padStart(9)}W /  700W`, `${random(60_000, 64_000).toFixed(0).padStart(9)}MiB /  ${MEMORY_MIB}MiB`, '0%      Default'),
      cells('', '', 'Disabled'),
      line('-', '+++'),
    ].join(''),
  );
  const titles = [cells(' GPU  Name                 Persistence-M', ' Bus-Id          Disp.A', 'Volatile Uncorr. ECC'), cells(' Fan  Temp   Perf          Pwr:Usage/Cap', '           Memory-Usage', 'GPU-Util  Compute M.'), cells('', '', 'MIG M.')];
  return `${new Date().toUTCString()}\n+${'-'.repeat(wide)}+\n${heading}${line('-', '|++')}${titles.join('')}${line('=', '|+|')}${rows.join('')}\n+${'-'.repeat(wide)}+\n| Processes:${' '.repeat(wide - 11)}|\n|${'='.repeat(wide)}|\n|${'  No running processes found'.padEnd(wide)}|\n+${'-'.repeat(wide)}+\n`;
}
