import type { HostCapabilities, LineParser, ParserOptions, ParseResult, ProbeDefinition, ProbePlan, StreamEnd } from '../contract';
import { stripAnsi } from '../text/ansi';
import { ResultCollector } from '../text/result-collector';
import { xidMeaning } from './xid-catalog';

const ID = 'kernel-xid';
const PARSER = `${ID}/3`;

/** `NVRM: Xid (PCI:0000:9b:00): 119, pid=…`; older drivers write `Xid (0000:01:00):`, the oldest bus and slot, `Xid (0001:00):`. */
const XID = /\bNVRM:.*?\bXid \((?:PCI:)?([0-9a-f]{4,8}:[0-9a-f]{2}(?::[0-9a-f]{2}(?:\.\d)?)?)\): (\d{1,5})\b[,:]?\s*(.*)$/i;
/** Any other spelling is a line that must not be lost in silence. */
const XID_LIKE = /\bNVRM:.*?\bXid\b|\bnvidia-nvswitch.*?\bSXid\b/;
/** `nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 24007, Fatal, Link 40 …` */
const SXID = /\bnvidia-nvswitch\d*:? SXid \((?:PCI:)?([0-9a-f:.]+)\): (\d{1,6})\b[,:]?\s*(.*)$/i;

/** Lines that the NVSwitch driver writes below an SXid with the same code; severity 1 is fatal. */
const SXID_DETAIL = /^(?:Severity (\d+) Engine instance\b|Data \{)/;

interface KernelFault {
  pattern: RegExp;
  code: string;
  message: string;
}

/** Driver messages that prove a fault without an Xid. */
const FAULTS: readonly KernelFault[] = [
  { pattern: /\bNVRM:.*(?:fallen off the bus|GPU (?:is )?lost\b|NV_ERR_GPU_IS_LOST)/i, code: 'kernel.gpu-lost', message: 'A GPU has fallen off the bus.' },
  { pattern: /\bNVRM: API mismatch/i, code: 'kernel.driver-mismatch', message: 'Driver and library versions differ (API mismatch).' },
  { pattern: /\bNVRM:.*(?:RmInitAdapter failed|rm_init_adapter failed|failed to wait for GFW_BOOT)/i, code: 'kernel.init-failed', message: 'The driver could not initialise a GPU.' },
  { pattern: /\bNVRM:.*probe routine failed/i, code: 'kernel.probe-failed', message: 'The driver could not take over a GPU.' },
  { pattern: /\bNVRM:.*(?:BAR\d is 0M|I\/O region assigned to your NVIDIA device is invalid)/i, code: 'kernel.bar-missing', message: 'The system gave a GPU no memory window (BAR): its firmware or the hypervisor has no room for it.' },
  { pattern: /\bNVRM: (?:No NVIDIA .*(?:found|probed)|NVIDIA init module failed|None of the NVIDIA .*(?:initialized|probed))/i, code: 'kernel.no-gpu', message: 'The driver found no GPU that it could use.' },
];

const UNREADABLE = /read kernel buffer failed|operation not permitted|permission denied|no journal files were (?:found|opened)|you are currently not seeing messages|insufficient permissions/i;
const NOT_INSTALLED = /command not found|(?:dmesg|journalctl).*no such file/i;

/** dmesg plain, with -T, -x, --time-format iso or raw; journalctl short, short-iso, short-precise; syslog files. */
const KERNEL_LINE = /^(?:(?:kern|user|daemon)\s*:\w+\s*: )?(?:<\d+>)?\[\s*(?:\d+\.\d+|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})\]|^(?:\w{3} [ \d]\d [\d:.]{8,}|\d{4}-\d\d-\d\dT[\d:.,+Z-]+) (?:\S+ )?(?:kernel(?:\[\d+\])?: |\S)|^\d{4}-\d\d-\d\dT[\d:.,+Z-]+ |^\s*NVRM: /;
const DRIVER_LOADED = /\bNVRM: loading NVIDIA UNIX\b/;
const LINUX_VERSION = /\bLinux version \d/;

class XidParser implements LineParser {
  private readonly collector: ResultCollector;
  private kernelLines = 0;
  private otherLines = 0;
  private xids = 0;
  private sxids = 0;
  /** Switch and code of the last SXid, to know the lines that belong to it. */
  private lastSxid = { event: '', isFatal: false };
  private reachesBack = false;

  constructor(options?: ParserOptions) {
    this.collector = new ResultCollector({ id: ID, parser: PARSER }, options);
  }

  line(raw: string, line: number): void {
    const text = stripAnsi(raw).trimEnd();
    if (text === '') return;
    if (this.xid(text, line) || this.sxid(text, line)) {
      this.kernelLines++;
      return;
    }
    if (KERNEL_LINE.test(text)) this.kernelLines++;
    else this.other(text, line);
    this.fault(text, line);
    this.reachesBack ||= DRIVER_LOADED.test(text) || LINUX_VERSION.test(text);
  }

  end({ exitCode, stderr, signal }: StreamEnd): ParseResult {
    const { collector } = this;
    for (const text of (stderr ?? '').split('\n')) this.standardError(text.trim());
    if (exitCode === null) collector.doubt('kernel.killed', `Reading the kernel log did not end by itself${signal === undefined ? '' : ` (${signal})`}.`);
    else if (exitCode !== undefined && exitCode !== 0) collector.doubt('kernel.exit-code', `Reading the kernel log ended with exit code ${exitCode}.`);
    if (this.kernelLines === 0) collector.doubt('kernel.no-log', 'The output holds no line of a kernel log, so nothing can be said about Xid errors.');
    else this.counts();
    if (this.otherLines > this.kernelLines) collector.doubt('kernel.unknown-format', 'Most lines are not lines of a kernel log.');
    return collector.result();
  }

  private counts(): void {
    this.collector.measure({ metric: 'gpu.xid.count', value: this.xids });
    this.collector.measure({ metric: 'nvswitch.sxid.count', value: this.sxids });
    this.collector.measure({ metric: 'kernel.log.lines', value: this.kernelLines });
    this.collector.context['reachesBackToStart'] = this.reachesBack;
    if (this.reachesBack) return;
    this.collector.remark('warning', 'kernel.log-short', 'The log does not reach back to the start of the system or the driver: earlier Xid errors may be gone.');
  }

  private xid(text: string, line: number): boolean {
    const match = XID.exec(text);
    if (!match) return false;
    const [, pci, digits, detail] = match as unknown as [string, string, string, string];
    const code = Number(digits);
    this.xids++;
    this.collector.measure({ metric: 'gpu.xid', value: code, labels: { pci: pci.toLowerCase() }, line });
    const { title, isFault } = xidMeaning(code, detail);
    const message = `Xid ${code} of GPU ${pci}: ${title}.`;
    if (isFault) this.collector.fault('kernel.xid', message, line);
    else this.collector.remark('warning', 'kernel.xid', message, line);
    return true;
  }

  private sxid(text: string, line: number): boolean {
    const match = SXID.exec(text);
    if (!match) return false;
    const [, pci, digits, detail] = match as unknown as [string, string, string, string];
    const event = `${pci} ${digits}`;
    const below = SXID_DETAIL.exec(detail);
    const isFatal = /^fatal\b/i.test(detail) || Number(below?.[1] ?? 0) > 0;
    const last = this.lastSxid;
    if (below && event === last.event && (last.isFatal || !isFatal)) return true;
    this.lastSxid = { event, isFatal };
    this.sxids++;
    this.collector.measure({ metric: 'nvswitch.sxid', value: Number(digits), labels: { pci: pci.toLowerCase() }, line });
    const message = `SXid ${digits} of NVSwitch ${pci}: ${detail.slice(0, 120)}.`;
    if (isFatal) this.collector.fault('kernel.sxid', message, line);
    else if (below) this.collector.doubt('kernel.sxid-incomplete', `${message} The line that tells whether it is fatal is not in the log.`, line);
    else this.collector.remark('warning', 'kernel.sxid', message, line);
    return true;
  }

  private fault(text: string, line: number): void {
    const found = FAULTS.find(({ pattern }) => pattern.test(text));
    if (found) this.collector.fault(found.code, found.message, line);
    else if (XID_LIKE.test(text)) this.collector.doubt('kernel.xid-unread', `This line names an Xid or SXid in an unknown form: ${text.trim().slice(0, 160)}`, line);
  }

  private other(text: string, line: number): void {
    if (this.unreadable(text, line) || /^-- .* --$/.test(text)) return;
    this.otherLines++;
  }

  private unreadable(text: string, line?: number): boolean {
    if (UNREADABLE.test(text)) {
      this.collector.doubt('kernel.not-readable', 'The kernel log is not readable for this user. Read it as root, or as a member of the group adm or systemd-journal.', line);
      return true;
    }
    if (!NOT_INSTALLED.test(text)) return false;
    this.collector.doubt('kernel.no-tool', 'Neither dmesg nor journalctl could be started.', line);
    return true;
  }

  private standardError(text: string): void {
    if (text === '' || this.unreadable(text)) return;
    this.collector.remark('info', 'kernel.stderr', `Standard error: ${text.slice(0, 200)}`);
  }
}

function plan(_parameters: unknown, host: HostCapabilities): ProbePlan {
  if (host.kernelLogReadable !== true) {
    const message = 'The kernel log is not readable for this user (kernel.dmesg_restrict, or a container). Connect as root or as a member of the group adm or systemd-journal.';
    return { kind: 'unprovable', reason: { code: 'kernel.not-readable', severity: 'error', message } };
  }
  const journal = host.kernelLogSource === 'journal' ? host.tools['journalctl'] : undefined;
  const dmesg = host.tools['dmesg'];
  const argv = journal ? [journal.path, '-k', '-b', '--no-pager', '-o', 'short-iso'] : dmesg ? [dmesg.path] : undefined;
  if (!argv) {
    return { kind: 'unprovable', reason: { code: 'host.tool-missing', severity: 'error', message: 'Neither dmesg nor journalctl was found on this machine.' } };
  }
  return { kind: 'command', argv, timeoutMs: 60_000, expectedDurationMs: 2_000, invasive: false };
}

export const probe: ProbeDefinition = {
  id: ID,
  parser: PARSER,
  title: 'Xid errors in the kernel log',
  proves: 'Which GPU and NVSwitch errors the driver logged since the log begins.',
  metrics: [
    { metric: 'gpu.xid', title: 'Xid code, one per line', valueType: 'number', labels: ['pci'] },
    { metric: 'gpu.xid.count', title: 'Xid lines', valueType: 'number', better: 'lower' },
    { metric: 'nvswitch.sxid', title: 'SXid code, one per event', valueType: 'number', labels: ['pci'] },
    { metric: 'nvswitch.sxid.count', title: 'SXid events', valueType: 'number', better: 'lower' },
    { metric: 'kernel.log.lines', title: 'Lines of the kernel log that were read', valueType: 'number' },
  ],
  createParser: (options) => new XidParser(options),
  plan,
};
