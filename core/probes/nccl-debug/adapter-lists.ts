import type { NcclLogLine } from '../nccl/log-line';
import type { ResultCollector } from '../text/result-collector';

/** `NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:192.0.2.1<0>`; `NET/Socket : Using [0]eth0:192.0.2.1<0>`. */
const USING = /^NET\/(\S+?) ?: Using (\[\d+\].*)$/;
const NONE = /^NET\/(IB\S*?) ?: No device found/;
/** aws-ofi-nccl names no adapters, only how many it found. */
const OFI = /^NET\/OFI Selected provider is (\w+).*\(found (\d+) nics\)/i;
const ADAPTER = /\[\d+\]\s*\{?(?:\[\d+\])?\s*([^\s;<>{}]+)/g;
const MOST_HOSTS = 10_000;
const MOST_ADAPTERS = 128;

/** The network adapters that each host offers to NCCL. Hosts that offer different ones hang, or are as slow as the slowest. */
export class AdapterLists {
  private readonly byNetwork = new Map<string, Map<string, { names: string; count: number; line: number }>>();

  line({ text, host }: NcclLogLine, line: number): void {
    if (host === '') return;
    const none = NONE.exec(text)?.[1];
    if (none !== undefined) return this.keep(none, host, [], line);
    const [, provider, count] = OFI.exec(text) ?? [];
    if (provider !== undefined && count !== undefined) return this.keep('OFI', host, Array<string>(Math.min(Number(count), MOST_ADAPTERS)).fill(provider), line);
    const [, network, list] = USING.exec(text) ?? [];
    if (network === undefined || list === undefined) return undefined;
    const names = [...list.split('; OOB', 1)[0]!.matchAll(ADAPTER)].map(([, name]) => (network === 'Socket' ? name!.split(':', 1)[0]! : name!));
    return this.keep(network, host, names, line);
  }

  private keep(network: string, host: string, names: string[], line: number): void {
    let hosts = this.byNetwork.get(network);
    if (!hosts) this.byNetwork.set(network, (hosts = new Map()));
    if (hosts.has(host) || hosts.size >= MOST_HOSTS) return;
    hosts.set(host, { names: names.sort().join(' '), count: names.length, line });
  }

  judge(collector: ResultCollector): void {
    for (const [network, hosts] of this.byNetwork) {
      const lists = [...hosts];
      const odd = lists.find(([, { names }]) => names !== lists[0]![1].names);
      if (!odd) continue;
      const [[firstHost, first], [otherHost, other]] = [lists[0]!, odd];
      const show = (host: string, names: string): string => `${host} has ${names === '' ? 'none' : names}`;
      const message = `Hosts offer different network adapters (NET/${network}): ${show(firstHost, first.names)}; ${show(otherHost, other.names)}.`;
      collector.remark(first.count === other.count ? 'warning' : 'error', 'nccl.adapters-differ', message, other.line);
    }
  }
}
