import type { NcclLogLine } from '../nccl/log-line';
import type { ResultCollector } from '../text/result-collector';

/** `Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA` (NCCL src/transport/{net,p2p,shm}.cc). */
const CHANNEL = /Channel \d+(?:\/\d+)? ?: (\d+)\[[^\]]*\] -> (\d+)\[[^\]]*\] (?:\[(?:send|receive)\] )?via (\S.*?)\s*$/;
const NETWORK = /\bUsing network (\S.*?)\s*$/;
const RANKS = /\brank (\d+) n[Rr]anks (\d+)(?: nNodes (\d+))?/;
const CHANNELS = /(\d+) coll channels, \d+ collnet channels, (\d+) nvls channels/;
const ADAPTERS = /NET\/(?:IB|Socket) : Using (\[\d.*?)(?:;|\s*$)/;

export class TransportProof {
  private readonly kinds = new Map<string, number>();
  private readonly networks = new Map<string, number>();
  private readonly adapters = new Map<string, string>();
  private networkChannels = 0;
  private directChannels = 0;
  private nvlsChannels: { value: number; line: number } | undefined;
  private nodes: number | undefined;
  private firstSocketLine: number | undefined;
  private firstStagedLine: number | undefined;

  constructor(private readonly collector: ResultCollector) {}

  get isEmpty(): boolean {
    return this.kinds.size === 0 && this.networks.size === 0 && this.nvlsChannels === undefined;
  }

  info({ text, host }: NcclLogLine, line: number): void {
    if (text.startsWith('Channel ')) return this.channel(text, line);
    const network = NETWORK.exec(text)?.[1];
    if (network !== undefined) {
      if (!this.networks.has(network)) this.networks.set(network, line);
      return undefined;
    }
    const nvls = CHANNELS.exec(text);
    if (nvls) {
      const value = Number(nvls[2]);
      // Ranks may differ; the smallest number is the one that limits.
      if (this.nvlsChannels === undefined || value < this.nvlsChannels.value) this.nvlsChannels = { value, line };
    }
    const ranks = RANKS.exec(text);
    if (ranks?.[3] !== undefined) this.nodes = Number(ranks[3]);
    const adapters = ADAPTERS.exec(text)?.[1];
    if (adapters !== undefined && host !== '') this.adapters.set(host, adapters.replace(/<\d+>|:\d{1,3}(\.\d{1,3}){3}/g, '').trim());
    return undefined;
  }

  private channel(text: string, line: number): void {
    const path = CHANNEL.exec(text)?.[3];
    if (path === undefined) return;
    const kind = kindOf(path);
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    if (!kind.startsWith('NET/')) return;
    this.networkChannels++;
    if (path.includes('/GDRDMA')) this.directChannels++;
    else if (kind === 'NET/Socket') this.firstSocketLine ??= line;
    else this.firstStagedLine ??= line;
  }

  end(): void {
    const { collector } = this;
    for (const [network, line] of this.networks) collector.measure({ metric: 'nccl.network', value: network, line });
    for (const [kind, value] of this.kinds) collector.measure({ metric: 'nccl.transport', value, labels: { kind } });
    if (this.networkChannels > 0) collector.measure({ metric: 'nccl.gdrdma', value: this.directChannels / this.networkChannels });
    if (this.nvlsChannels) collector.measure({ metric: 'nccl.nvls_channels', value: this.nvlsChannels.value, line: this.nvlsChannels.line });
    if (this.nodes !== undefined) collector.context['nodes'] = this.nodes;
    this.judgePath();
    this.compareAdapters();
  }

  /** Traffic over TCP between GPUs is a fault of the path: within a node always, between nodes when nothing else was meant. */
  private judgePath(): void {
    const { collector } = this;
    if (this.firstSocketLine !== undefined) {
      collector.fault('nccl.tcp-fallback', 'GPUs exchange data over TCP sockets: NCCL found no faster path (tcp fallback).', this.firstSocketLine);
    } else if (this.firstStagedLine !== undefined) {
      collector.remark('warning', 'nccl.no-gpudirect', 'Some network channels go through host memory: GPUDirect RDMA is not used for them.', this.firstStagedLine);
    }
    if (this.kinds.has('SHM')) collector.remark('warning', 'nccl.shared-memory', 'Some channels go through shared memory of the host. On a machine with NVLink they should not.');
    if (this.nvlsChannels?.value === 0) collector.remark('info', 'nccl.no-nvls', 'NVLink SHARP is not used.', this.nvlsChannels.line);
  }

  private compareAdapters(): void {
    if (new Set(this.adapters.values()).size < 2) return;
    this.collector.remark('warning', 'nccl.adapters-differ', `Hosts use different network adapters: ${[...this.adapters].slice(0, 4).map(([host, list]) => `${host} ${list}`).join('; ')}.`);
  }
}

/** `P2P/CUMEM/read` → `P2P`; `NET/IB/0/GDRDMA` → `NET/IB`; `direct shared memory` → `SHM`. */
function kindOf(path: string): string {
  if (path.startsWith('P2P')) return 'P2P';
  if (path.startsWith('SHM') || path === 'direct shared memory') return 'SHM';
  const network = /^NET\/([^/]+)/.exec(path)?.[1];
  return network === undefined ? path.split('/')[0]!.trim() : `NET/${network.trim()}`;
}
