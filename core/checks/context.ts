import type { AcceptanceCard, WorkloadBrief } from '../../schemas';
import { schemaKeys } from '../document/schema-walk';
import { parseCached } from '../document/parse-cache';
import type { DocumentKind, Path, SourceDocument, SourceFile } from '../document/source';
import { checkStructure, type StructureProblem } from '../document/structure';
import type { CheckContext, Draft, Finding, LinkedDocument, Subject } from './contract';
import { draftOf } from './draft';
import type { FileProvider } from './files';
import { findProfile, profileOfGpu } from './knowledge';

export interface ContextOptions {
  files: FileProvider;
  today: string;
}

/** What a rule sees of one document. Costly parts are made when the first rule asks for them. */
export function createContext(file: SourceFile, document: SourceDocument, subject: Subject, options: ContextOptions): CheckContext {
  return new DocumentContext(file, document, subject, options);
}

class DocumentContext implements CheckContext {
  readonly files: FileProvider;
  readonly today: string;
  readonly raw: unknown;

  constructor(
    readonly file: SourceFile,
    readonly document: SourceDocument,
    readonly subject: Subject,
    options: ContextOptions,
  ) {
    this.files = options.files;
    this.today = options.today;
    this.raw = document.value;
  }

  get structure(): readonly StructureProblem[] {
    return once(this, 'structure', () => this.findStructure());
  }

  private findStructure(): StructureProblem[] {
    const kind = this.subject === 'manifest' ? undefined : this.kind;
    return kind && this.raw !== undefined ? checkStructure(kind, this.raw, (path) => schemaKeys(kind, path, this.raw)) : [];
  }

  private get kind(): DocumentKind {
    return this.subject === 'card' ? 'AcceptanceCard' : 'WorkloadBrief';
  }

  get card(): Draft<AcceptanceCard> | undefined {
    return once(this, 'card', () => (this.subject === 'card' ? draftOf('AcceptanceCard', this.raw) : this.neighbour<AcceptanceCard>('AcceptanceCard')));
  }

  get brief(): Draft<WorkloadBrief> | undefined {
    return once(this, 'brief', () => (this.subject === 'brief' ? draftOf('WorkloadBrief', this.raw) : this.linkedBrief?.value));
  }

  private neighbour<T>(kind: DocumentKind): Draft<T> | undefined {
    const other = this.subject === 'manifest' ? undefined : this.file.documents.find((document) => document.kind === kind);
    return other?.isWellFormed ? (draftOf(kind, other.value) as Draft<T>) : undefined;
  }

  get linkedBrief(): LinkedDocument<WorkloadBrief> | undefined {
    return once(this, 'linkedBrief', () => (this.subject === 'card' ? this.findBrief() : undefined));
  }

  private findBrief(): LinkedDocument<WorkloadBrief> | undefined {
    const path = this.card?.brief;
    if (path === undefined) return linked('', this.file);
    const text = this.files.readText(path);
    return text === undefined ? undefined : linked(path, parseCached(text));
  }

  get profile(): CheckContext['profile'] {
    return once(this, 'profile', () => {
      if (this.card?.profile !== undefined) return findProfile(this.card.profile);
      const gpu = this.card?.layers?.capacity?.gpuModel ?? this.brief?.layers?.capacity?.gpuModel;
      return gpu === undefined ? undefined : profileOfGpu(gpu);
    });
  }

  /** A property, so that rules can take it out of the context. */
  readonly at = (path: Path, part: 'key' | 'value' = 'value'): Pick<Finding, 'range' | 'related'> => {
    const { range, anchored } = part === 'key' ? this.document.locateKey(path) : this.document.locateValue(path);
    return anchored ? { range, related: [{ message: 'It is written here.', range: anchored }] } : { range };
  };
}

function linked(path: string, file: SourceFile): LinkedDocument<WorkloadBrief> | undefined {
  const source = file.documents.find((document) => document.kind === 'WorkloadBrief');
  return source?.isWellFormed ? { file: path, source, value: draftOf('WorkloadBrief', source.value) } : undefined;
}

const computed = new WeakMap<object, Map<string, unknown>>();

/** The value of a lazy property, made at its first use. */
function once<T>(owner: object, name: string, make: () => T): T {
  let known = computed.get(owner);
  if (!known) computed.set(owner, (known = new Map()));
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as T;
}
