import type { Alias, ServerFamilies } from './families';
import type { Histogram } from './histogram';
import { labelsWithout, labelValue, type Series, seriesKey } from './reader';
import type { ScrapeSnapshot } from './scrape-snapshot';

type Labelled = Pick<Series, 'name' | 'labels'>;

const isFinite = ({ value }: Series): boolean => Number.isFinite(value);

/** The families of one server in one scrape, by their names without prefix and without `_total`. */
export class ServerIndex {
  private readonly seriesByName = new Map<string, Series[]>();
  private readonly histogramsByName = new Map<string, Histogram[]>();
  private readonly declared = new Set<string>();

  constructor(
    private readonly families: ServerFamilies,
    readonly snapshot: ScrapeSnapshot,
  ) {
    for (const series of snapshot.series.values()) this.add(this.seriesByName, series);
    for (const histogram of snapshot.histograms.values()) this.add(this.histogramsByName, histogram);
    for (const name of snapshot.reader.types.keys()) {
      const short = this.shortName(name);
      if (short !== undefined) this.declared.add(short);
    }
  }

  private add<T extends Labelled>(index: Map<string, T[]>, item: T): void {
    const short = this.shortName(item.name);
    if (short === undefined) return;
    const list = index.get(short);
    if (list) list.push(item);
    else index.set(short, [item]);
  }

  private shortName(name: string): string | undefined {
    const prefix = this.families.prefix.exec(name)?.[0];
    if (prefix === undefined) return undefined;
    const short = name.slice(prefix.length);
    return short.endsWith('_total') ? short.slice(0, -'_total'.length) : short;
  }

  get hasSamples(): boolean {
    return this.seriesByName.size + this.histogramsByName.size > 0;
  }

  /** Declared with a type, with or without samples. */
  isDeclared({ name }: Alias): boolean {
    return this.declared.has(name);
  }

  get declaresAny(): boolean {
    return this.declared.size > 0;
  }

  /** Series of the first alias that has values. One engine without a finite value leaves the family without any. */
  series(aliases: readonly Alias[]): Series[] {
    for (const alias of aliases) {
      const found = this.pick(this.seriesByName.get(alias.name), alias);
      const { scale } = alias;
      if (found.length > 0 && found.every(isFinite)) return scale === undefined ? found : found.map((series) => ({ ...series, value: series.value * scale }));
    }
    return [];
  }

  /** The first series of a family that is NaN or infinite. */
  notFinite(aliases: readonly Alias[]): Series | undefined {
    return aliases.flatMap((alias) => this.pick(this.seriesByName.get(alias.name), alias)).find((series) => !isFinite(series));
  }

  /** The first alias that has histograms, and them. */
  histograms(aliases: readonly Alias[]): { alias: Alias; found: Histogram[] } | undefined {
    for (const alias of aliases) {
      const found = this.pick(this.histogramsByName.get(alias.name), alias);
      if (found.length > 0) return { alias, found };
    }
    return undefined;
  }

  /** True when the series of a family carry a label that only a router in front of the engines sets. */
  get isRouter(): boolean {
    const { routerLabels, gauges } = this.families;
    if (routerLabels.length === 0) return false;
    const first = gauges.flatMap(({ aliases }) => this.series(aliases)).at(0);
    return first !== undefined && routerLabels.some((name) => labelValue(first.labels, name) !== undefined) && labelValue(first.labels, 'engine') === undefined;
  }

  private pick<T extends Labelled>(items: readonly T[] | undefined, { where }: Alias): T[] {
    const wanted = where ? Object.entries(where) : [];
    // A collector may write a copy of each series under a prefix of its own, which must not be counted twice.
    const wireName = items?.[0]?.name;
    const matching = (items ?? []).filter(({ name, labels }) => name === wireName && wanted.every(([key, value]) => labelValue(labels, key) === value));
    return this.lowestRanks(matching);
  }

  /** Ranks of one engine may all report the same numbers: of each group the lowest rank is kept. */
  private lowestRanks<T extends Labelled>(items: readonly T[]): T[] {
    const { replicaLabels } = this.families;
    if (replicaLabels.length === 0 || items.length < 2) return [...items];
    const rank = ({ labels }: T): number => replicaLabels.reduce((sum, name) => sum + Number(labelValue(labels, name) ?? 0), 0);
    const groups = new Map<string, T>();
    for (const item of items) {
      const key = seriesKey(item.name, replicaLabels.reduce(labelsWithout, item.labels));
      const known = groups.get(key);
      if (!known || rank(item) < rank(known)) groups.set(key, item);
    }
    return [...groups.values()];
  }
}
