import type { ResultCollector } from '../text/result-collector';

const HEADER = /^\|\s*NvLink Link Status\s*\|$/i;
const SECTION = /^(GPUs|NvSwitches):$/;
const ENTITY = /^(gpuId|physicalId) (\d{1,4}):$/;
const STATES = /^[UDX_](?: [UDX_])*$/;
const KEY = /^Key: Up=U, Down=D, Disabled=X, Not Supported=_$/;
const NONE = /^No (?:GPUs|NvSwitches) found\.$/;

interface Entity {
  kind: 'gpu' | 'switch';
  id: string;
  line: number;
  states?: string[];
}

/**
 * The report of `dcgmi nvlink -s` (dcgmi/Nvlink.cpp): a letter for each link that a GPU or an NVSwitch can have at most,
 * then a key, which is the proof that the report is whole.
 */
export class LinkStatusReport {
  private hasHeader = false;
  private hasKey = false;
  private section = '';
  private readonly sections = new Set<string>();
  private readonly entities: Entity[] = [];

  constructor(private readonly collector: ResultCollector) {}

  get isFound(): boolean {
    return this.hasHeader || this.hasKey || this.entities.length > 0;
  }

  /** False when the line is no line of this report. */
  line(text: string, line: number): boolean {
    if (HEADER.test(text)) return this.header(line);
    const section = SECTION.exec(text)?.[1];
    if (section !== undefined) {
      this.section = section;
      this.sections.add(section);
      return true;
    }
    const entity = ENTITY.exec(text);
    if (entity) return this.entity(entity[1]!, entity[2]!, line);
    if (STATES.test(text)) return this.states(text.split(' '), line);
    if (!KEY.test(text)) return NONE.test(text);
    return (this.hasKey = true);
  }

  private header(line: number): true {
    if (this.hasHeader) this.collector.doubt('nvlink.second-report', 'There are two reports in this output.', line);
    return (this.hasHeader = true);
  }

  private entity(word: string, id: string, line: number): true {
    const kind = word === 'gpuId' ? 'gpu' : 'switch';
    if (this.section !== (kind === 'gpu' ? 'GPUs' : 'NvSwitches')) this.collector.doubt('nvlink.cut', `The ${word} ${id} stands under another heading than its own.`, line);
    if (this.entities.some((known) => known.kind === kind && known.id === id)) this.collector.doubt('nvlink.duplicate', `The ${word} ${id} is listed twice.`, line);
    this.entities.push({ kind, id, line });
    return true;
  }

  private states(states: string[], line: number): true {
    const entity = this.entities.at(-1);
    if (!entity || entity.states) this.collector.doubt('nvlink.cut', 'States of links belong to no GPU and no NVSwitch.', line);
    else Object.assign(entity, { states, line });
    return true;
  }

  end(): void {
    const { collector } = this;
    if (!this.hasHeader || !this.hasKey || this.sections.size < 2) collector.doubt('nvlink.cut', 'The report is not whole: its heading, one of its two lists, or the key at its end is missing.');
    if (!this.entities.some(({ kind }) => kind === 'gpu')) collector.doubt('nvlink.no-gpus', 'DCGM found no GPUs.');
    for (const kind of ['gpu', 'switch'] as const) this.compareLengths(this.entities.filter((entity) => entity.kind === kind));
    for (const entity of this.entities) this.judge(entity);
  }

  /** DCGM writes as many letters as its version knows links, the same number for all. */
  private compareLengths(entities: readonly Entity[]): void {
    const most = Math.max(0, ...entities.map(({ states }) => states?.length ?? 0));
    for (const entity of entities) {
      if (entity.states && entity.states.length < most) this.collector.doubt('nvlink.cut', `${nameOf(entity)} has the states of ${entity.states.length} links, others have ${most}.`, entity.line);
    }
  }

  private judge(entity: Entity): void {
    const { collector } = this;
    const { kind, id, line, states } = entity;
    if (!states) return collector.doubt('nvlink.no-links', `${nameOf(entity)} lists no links.`, line);
    const count = (...letters: string[]): number => states.filter((state) => letters.includes(state)).length;
    const [active, inactive] = [count('U'), count('D', 'X')];
    // An NVSwitch has ports for more GPUs than a machine may hold, so one without links is no finding.
    if (kind === 'switch') {
      collector.measure({ metric: 'nvswitch.links.active', value: active, labels: { switch: id }, line });
      collector.measure({ metric: 'nvswitch.links.inactive', value: inactive, labels: { switch: id }, line });
      return undefined;
    }
    if (active + inactive === 0) return collector.doubt('nvlink.not-supported', `GPU ${id} does not have or support NVLink.`, line);
    collector.measure({ metric: 'nvlink.active', value: active, labels: { gpu: id }, line });
    collector.measure({ metric: 'nvlink.inactive', value: inactive, labels: { gpu: id }, line });
    if (active === 0) return collector.doubt('nvlink.all-inactive', `GPU ${id}: all NVLinks are down. A GPU without a bridge looks the same as one whose links are all down.`, line);
    if (inactive > 0) collector.remark('warning', 'nvlink.inactive', `${inactive} of ${active + inactive} links of GPU ${id} are down or disabled.`, line);
    return undefined;
  }
}

const nameOf = ({ kind, id }: Entity): string => (kind === 'gpu' ? `GPU ${id}` : `NVSwitch ${id}`);
