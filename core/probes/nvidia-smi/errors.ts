import type { ResultCollector } from '../text/result-collector';

/**
 * What nvidia-smi prints instead of, or beside, its data. Sources: the return texts of NVML (`nvmlErrorString`), NVIDIA's
 * nvidia-smi manual page, and public reports of each text. The same fault is spelled in several ways by different drivers.
 */
interface ErrorText {
  pattern: RegExp;
  code: string;
  /** `fault`: the machine is broken. `doubt`: the tool could not look. `warning`: the data beside it is whole. */
  kind: 'fault' | 'doubt' | 'warning';
  message: string;
}

/** Index, PCI address or both, then the reason. The address is tried first: its domain alone looks like an index. */
const PCI_ADDRESS = '[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.\\d';
const HANDLE_PARTS = new RegExp(`^(${PCI_ADDRESS}|\\d+:\\s*${PCI_ADDRESS}|\\d+)\\s*:?\\s*(.*)$`, 'i');
const DEVICE_HANDLE = /unable to (?:determine|detect) the device handle for (?:gpu)?\s*(.*)$/i;

/** First match wins: the specific texts stand before the general ones. */
const ERROR_TEXTS: readonly ErrorText[] = [
  {
    pattern: /driver\/library version mismatch/i,
    code: 'nvidia-smi.driver-mismatch',
    kind: 'fault',
    message: 'Driver/library version mismatch: the loaded kernel driver and the user libraries differ. Reload the driver or reboot.',
  },
  {
    pattern: /couldn'?t communicate with (?:the )?nvidia driver|driver (?:is )?not loaded/i,
    code: 'nvidia-smi.driver-not-loaded',
    kind: 'fault',
    message: 'The NVIDIA driver is not loaded, or it does not answer.',
  },
  {
    pattern: /no devices (?:were )?found/i,
    code: 'nvidia-smi.no-devices',
    kind: 'fault',
    message: 'No devices were found: the driver sees no GPU.',
  },
  {
    pattern: /fallen off the bus|gpu is lost/i,
    code: 'nvidia-smi.gpu-lost',
    kind: 'fault',
    message: 'A GPU is lost (it has fallen off the bus). Reboot the machine; if it comes back, replace the GPU.',
  },
  {
    pattern: /gpu requires? (?:a )?reset|requires a reset before it can be used/i,
    code: 'nvidia-smi.reset-required',
    kind: 'fault',
    message: 'A GPU requires a reset before it can be used.',
  },
  {
    pattern: /power cables?/i,
    code: 'nvidia-smi.power-cables',
    kind: 'fault',
    message: 'External power cables of a GPU are not attached properly.',
  },
  {
    pattern: /inforom is corrupted/i,
    code: 'nvidia-smi.inforom-corrupted',
    kind: 'warning',
    message: 'The infoROM of a GPU is corrupted. The other data is whole.',
  },
  {
    pattern: /^(?:\[?warning\]?:|warning\b)/i,
    code: 'nvidia-smi.warning',
    kind: 'warning',
    message: 'nvidia-smi printed a warning.',
  },
  {
    pattern: /insufficient permissions|no permission|do(?:es)? not have permissions?|permission denied|operation not permitted/i,
    code: 'nvidia-smi.permission',
    kind: 'doubt',
    message: 'Insufficient permissions to read the GPUs.',
  },
  {
    pattern: /field ".*" is not a valid field to query/i,
    code: 'nvidia-smi.invalid-field',
    kind: 'doubt',
    message: 'This nvidia-smi does not know a field that was asked for, and gave no data at all. Ask only fields that `nvidia-smi --help-query-gpu` lists.',
  },
  {
    pattern: /command line argument must be|is not recognized|invalid combination of input arguments|^usage:|invalid (?:argument|option)/i,
    code: 'nvidia-smi.usage',
    kind: 'doubt',
    message: 'nvidia-smi refused its arguments.',
  },
  {
    pattern: /nvidia-smi.*(?:not found|no such file or directory|not recognized)|command not found/i,
    code: 'nvidia-smi.not-installed',
    kind: 'doubt',
    message: 'nvidia-smi was not found on this machine.',
  },
  {
    pattern: /libnvidia-ml|nvml (?:shared )?library not found/i,
    code: 'nvidia-smi.nvml-missing',
    kind: 'doubt',
    message: 'The NVML library was not found. In a container, the NVIDIA container runtime did not mount it.',
  },
  {
    pattern: /failed to initialize nvml: unknown error/i,
    code: 'nvidia-smi.nvml-unknown-error',
    kind: 'doubt',
    message: 'NVML could not start: unknown error. Often a container lost its access to the GPUs while the host is fine: check on the host.',
  },
  {
    pattern: /blocked by the operating system/i,
    code: 'nvidia-smi.blocked',
    kind: 'doubt',
    message: 'The operating system blocks access to the GPU.',
  },
  {
    pattern: /failed to (?:initialize|properly shut ?down) nvml|\bnvml\b.*error|unknown error|err!|in use by another client/i,
    code: 'nvidia-smi.error',
    kind: 'doubt',
    message: 'nvidia-smi reported an error.',
  },
];

/** True when the line was an error or warning text; it is then recorded. */
export function readErrorText(text: string, collector: ResultCollector, line?: number): boolean {
  const handle = DEVICE_HANDLE.exec(text);
  if (handle) {
    readDeviceHandle(handle[1] ?? '', collector, line);
    return true;
  }
  const known = ERROR_TEXTS.find(({ pattern }) => pattern.test(text));
  if (!known) return false;
  record(known, text, collector, line);
  return true;
}

/** `0000:0B:00.0: Unknown Error`, `3: 0000:5F:00.0: GPU is lost.  Reboot …`, `2: Not Found`, `0000:01:00.0:` (cut or wrapped). */
function readDeviceHandle(rest: string, collector: ResultCollector, line: number | undefined): void {
  const parts = HANDLE_PARTS.exec(rest.trim());
  const gpu = parts?.[1] ?? rest.trim();
  const why = (parts?.[2] ?? '').trim();
  if (/not supported|permission|^$/i.test(why)) {
    collector.doubt('nvidia-smi.device-handle', `The device handle of GPU ${gpu} was refused${why === '' ? '' : `: ${why}`}.`, line);
    return;
  }
  const lost = /lost/i.test(why);
  const code = lost ? 'nvidia-smi.gpu-lost' : 'nvidia-smi.device-handle';
  collector.fault(code, `GPU ${gpu} does not answer: no device handle${lost ? ', the GPU is lost' : ''} (${why}).`, line);
}

function record({ kind, code, message }: ErrorText, text: string, collector: ResultCollector, line: number | undefined): void {
  const detailed = code === 'nvidia-smi.warning' || code === 'nvidia-smi.error' ? `${message} ${text.trim().slice(0, 200)}` : message;
  if (kind === 'fault') collector.fault(code, detailed, line);
  else if (kind === 'doubt') collector.doubt(code, detailed, line);
  else collector.remark('warning', code, detailed, line);
}
