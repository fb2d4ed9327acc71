import type { NcclLogLine } from '../nccl/log-line';
import type { ResultCollector } from '../text/result-collector';
import { AdapterLists } from './adapter-lists';
import { HostSpread } from './host-spread';
import { NvlsChannels } from './nvls-channels';

/**
 * `Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA` (NCCL src/transport/{net,p2p,shm,coll_net}.cc), up to 2.6
 * `Ring 00 : 0 -> 8 [send] via NET/IB/0/GDRDMA`.
 */
const CHANNEL_PATH = /-> ?-?\d+(?:\[[^\]]*\])?(?= ).*? via (\S.*?)\s*$/;
/** RCCL's addition to a path. */
const RCCL_COMMUNICATOR = ' comm 0x';
/** libfabric over TCP is no faster network than TCP (aws-ofi-nccl). */
const TCP_PROVIDER = /^NET\/OFI Selected provider is (?:tcp|sockets|udp)\b/i;
const COMMUNICATOR = /\brank \d+ nRanks (\d+) nNodes (\d+) localRanks (\d+)/i;
const SET_BY_ENVIRONMENT = /\b(NCCL_\w+) set by environment to (\S.*?)\.?\s*$/;
/** Settings that take a path away, so that the log describes this run and not the machine. */
const RESTRICTING = /^NCCL_(?:P2P_DISABLE|SHM_DISABLE|IB_DISABLE|NVLS_ENABLE|NET_GDR_LEVEL|P2P_LEVEL|NET_GDR_DISABLE|CUMEM_ENABLE|NET|ALGO|PROTO)$/;
/** A switch that leaves the path open. */
const LEAVES_OPEN = /_DISABLE=0$|_ENABLE=[12]$/;
const MOST_SETTINGS = 100;
const MOST_KINDS = 100;

/** What NCCL's own log says of the paths between GPUs. A line that only announces a possibility (`GDR 1`, `Bootstrap`) is no proof. */
export class TransportProof {
  private readonly kinds = new Map<string, number>();
  private readonly networks = new Map<string, number>();
  private readonly settings = new Map<string, string>();
  private readonly adapters = new AdapterLists();
  private readonly nvls = new NvlsChannels();
  private readonly spread = new HostSpread();
  private networkChannels = 0;
  private directChannels = 0;
  private largest = { ranks: 0, nodes: 0, localRanks: 0 };
  private firstSocketLine: number | undefined;
  private firstTcpProviderLine: number | undefined;
  private firstStagedLine: number | undefined;
  private firstSharedMemoryLine: number | undefined;
  private seesNvlink = false;

  constructor(private readonly collector: ResultCollector) {}

  /** The most frequent kinds of lines are decided by their first characters: a log can have gigabytes. */
  info(line: NcclLogLine, number: number): void {
    const { text } = line;
    if (text.startsWith('Channel ') || text.startsWith('Ring ')) this.channel(text, number);
    else if (text.startsWith('Using network ')) this.network(text.slice('Using network '.length).trim(), number);
    // Up to 2.4.
    else if (text.startsWith('Using internal Network ')) this.network(text.slice('Using internal Network '.length).trim(), number);
    else if (text.includes('nRanks ')) this.communicator(line);
    else if (text.includes(' nvls channels')) this.nvls.channels(line, number);
    else if (text.startsWith('NET/')) this.adapter(line, number);
    else if (text.includes(' set by environment')) this.setting(text);
    else if (text.includes('NVL[') || text.startsWith('Connected NVLS tree')) this.seesNvlink = true;
    else if (text.includes('nranks ')) {
      this.nvls.communicator(line.thread, /\bnranks (\d+)/.exec(text)?.[1]);
      this.spread.line(text, line.host);
    }
  }

  private channel(text: string, line: number): void {
    if (!text.includes(' via ')) return;
    const path = CHANNEL_PATH.exec(text)?.[1];
    if (path === undefined) return;
    const kind = kindOf(path.split(RCCL_COMMUNICATOR, 1)[0]!);
    if (!this.kinds.has(kind) && this.kinds.size >= MOST_KINDS) return;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    if (kind === 'SHM') this.firstSharedMemoryLine ??= line;
    if (!kind.startsWith('NET/')) return;
    this.networkChannels++;
    if (path.includes('/GDRDMA')) this.directChannels++;
    else if (kind === 'NET/Socket') this.firstSocketLine ??= line;
    else this.firstStagedLine ??= line;
  }

  private network(name: string, line: number): void {
    if (name !== '' && !this.networks.has(name) && this.networks.size < MOST_KINDS) this.networks.set(name, line);
  }

  private adapter(line: NcclLogLine, number: number): void {
    this.adapters.line(line, number);
    if (TCP_PROVIDER.test(line.text)) this.firstTcpProviderLine ??= number;
  }

  private communicator({ text, thread, host }: NcclLogLine): void {
    this.spread.line(text, host);
    const match = COMMUNICATOR.exec(text);
    if (!match) return;
    const [ranks, nodes, localRanks] = [Number(match[1]), Number(match[2]), Number(match[3])];
    this.nvls.communicator(thread, match[1]);
    if (ranks > this.largest.ranks) this.largest = { ranks, nodes, localRanks };
  }

  private setting(text: string): void {
    const [, name, value] = SET_BY_ENVIRONMENT.exec(text) ?? [];
    if (name !== undefined && value !== undefined && this.settings.size < MOST_SETTINGS) this.settings.set(name, value);
  }

  end(): void {
    const { collector } = this;
    for (const [network, line] of this.networks) collector.measure({ metric: 'nccl.network', value: network, line });
    for (const [kind, value] of this.kinds) collector.measure({ metric: 'nccl.transport', value, labels: { kind } });
    if (this.networkChannels > 0) collector.measure({ metric: 'nccl.gdrdma', value: this.directChannels / this.networkChannels });
    const nvls = this.nvls.fewest;
    if (nvls) collector.measure({ metric: 'nccl.nvls_channels', value: nvls.value, line: nvls.line });
    if (this.largest.ranks > 0) Object.assign(collector.context, this.largest);
    this.judgeNetwork();
    this.judgeInsideNode(nvls);
    this.adapters.judge(collector);
    this.tellSettings();
  }

  /** A card may allow TCP or staging through the host, so the path is told, loudly, and judged by the card. */
  private judgeNetwork(): void {
    const { collector } = this;
    const isOverHosts = this.largest.nodes > 1 || this.spread.isOverHosts;
    const chosenLine = isOverHosts ? this.networks.get('Socket') : undefined;
    const providerLine = isOverHosts || this.networkChannels > 0 ? this.firstTcpProviderLine : undefined;
    const socketLine = this.firstSocketLine ?? chosenLine ?? providerLine;
    if (socketLine !== undefined) {
      collector.remark('error', 'nccl.tcp-fallback', 'GPUs exchange data over TCP sockets: NCCL found no faster network (TCP fallback).', socketLine);
    }
    if (this.firstStagedLine !== undefined) {
      const staged = this.networkChannels - this.directChannels;
      collector.remark('error', 'nccl.no-gpudirect', `${staged} of ${this.networkChannels} network channel lines are without GPUDirect RDMA: their data goes through host memory.`, this.firstStagedLine);
    }
    if (this.networks.size > 1) collector.remark('warning', 'nccl.networks-differ', `Ranks chose different networks: ${[...this.networks.keys()].join(', ')}.`);
  }

  private judgeInsideNode(nvls: { value: number; line: number } | undefined): void {
    const { collector } = this;
    if (this.firstSharedMemoryLine !== undefined) {
      if (this.seesNvlink) collector.remark('error', 'nccl.shm-with-nvlink', 'Channels go through shared memory of the host although the log shows NVLink.', this.firstSharedMemoryLine);
      else collector.remark('warning', 'nccl.shared-memory', 'Channels go through shared memory of the host. Without NVLink or PCIe peer access that is normal; on a machine with NVLink it is a fault.', this.firstSharedMemoryLine);
    }
    if (nvls?.value === 0) collector.remark('info', 'nccl.no-nvls', 'NVLink SHARP is not used: 0 nvls channels. On 8 GPUs with NVSwitch 3 or newer, expect about a quarter less all-reduce bandwidth.', nvls.line);
  }

  private tellSettings(): void {
    if (this.settings.size === 0) return;
    this.collector.context['environment'] = [...this.settings].map(([name, value]) => `${name}=${value}`);
    const restricting = [...this.settings].filter(([name]) => RESTRICTING.test(name)).map(([name, value]) => `${name}=${value}`).filter((setting) => !LEAVES_OPEN.test(setting));
    if (restricting.length > 0) this.collector.remark('warning', 'nccl.restricted', `Settings limit which paths NCCL may take: ${restricting.join(', ')}.`);
  }
}

/** `P2P/CUMEM/read` → `P2P`; `NET/IB/0/GDRDMA` → `NET/IB`; `direct shared memory` → `SHM`. */
function kindOf(path: string): string {
  if (path.startsWith('P2P')) return 'P2P';
  if (path.startsWith('SHM') || path.startsWith('direct shared memory')) return 'SHM';
  const network = /^NET\/([^/]+)/.exec(path)?.[1];
  return network === undefined ? path.split('/', 1)[0]!.trim() : `NET/${network.trim()}`;
}
