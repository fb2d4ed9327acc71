import type { AcceptanceCard, HardwareProfile, WorkloadBrief } from '../../schemas';
import type { Path, Range, SourceDocument, SourceFile } from '../document/source';
import type { StructureProblem } from '../document/structure';
import type { FileProvider } from './files';

/**
 * The contract of a check. One file in `rules/` exports one `rule`; `npm run generate` finds it.
 *
 * A rule warns only about what it can know: a file that cannot be read, a fact that is not in the data and a document with
 * syntax errors give no finding.
 */

export type CheckSeverity = 'error' | 'warning' | 'information' | 'hint';
export type SeverityOverride = CheckSeverity | 'off';

/** What a rule looks at. A manifest is a Kubernetes document that a card names. */
export type Subject = 'brief' | 'card' | 'manifest';

/** A replacement of text by offsets. Minimal: a fix never writes a document anew. */
export interface TextEdit {
  start: number;
  end: number;
  newText: string;
}

export interface Fix {
  /** What it does, as a button would say it: `Write "revision"`. */
  title: string;
  /** Made by `edits.ts`, which keeps comments, indentation and line ends. */
  edits: TextEdit[];
  /** May be applied without a look at it: it changes no meaning (`fix all`). */
  isSafe?: boolean;
}

export interface Related {
  message: string;
  range: Range;
  /** Path relative to the checked file; absent: the checked file itself. */
  file?: string;
}

export interface Finding {
  message: string;
  range: Range;
  /** Only where one rule has grave and light cases; absent: the rule's severity. */
  severity?: CheckSeverity;
  related?: Related[];
  fixes?: Fix[];
}

export interface RuleDocs {
  /** Why it matters, in one to three sentences: what goes wrong on a rented machine when this is ignored. */
  why: string;
  /** What to write instead, when the examples do not say it. */
  advice?: string;
  /** Public source of the fact that the rule rests on. */
  source?: string;
}

/**
 * The examples of a rule are files in `core/checks/examples/<rule id>/`: `bad.brief.yaml` (or `.acceptance.yaml`,
 * `.manifest.yaml`), `good.…` and, when the rule has a fix, `fixed.…`: the bad file after the first fix of each of its findings.
 * Other files of the folder can be named by them. Only this rule is run on them, so a few lines are enough.
 */
export interface Rule {
  /** Stable, kebab-case, begins with its subject: `brief-revision-unpinned`. Used in settings, comments and documents. */
  id: string;
  /** Short noun phrase for lists: `Model revision is not pinned`. */
  title: string;
  severity: CheckSeverity;
  appliesTo: readonly Subject[];
  docs: RuleDocs;
  /** Runs on documents with syntax errors too. Only the rules about syntax need it. */
  runsOnBrokenSyntax?: boolean;
  check(context: CheckContext): Finding[];
}

/** Every part may be missing; whatever is there has the type that the schema says. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Draft<T[Key]> }
    : T;

/** Another file that the checked one names, and the document of the wanted kind in it. */
export interface LinkedDocument<T> {
  /** As the naming document writes it, relative to that document. */
  file: string;
  source: SourceDocument;
  value: Draft<T>;
}

/** What a rule gets. Everything is computed once per document and shared by the rules. */
export interface CheckContext {
  subject: Subject;
  file: SourceFile;
  /** Ranges: `document.keyRange(path)`, `document.valueRange(path)`. */
  document: SourceDocument;
  /** The document's resolved value as it stands, of any shape. For manifests this is all there is. */
  raw: unknown;
  /** The brief itself, or the brief that the card names; absent when there is none or it cannot be read. */
  brief?: Draft<WorkloadBrief>;
  /** The card itself; for a brief: the card in the same file, if there is one. */
  card?: Draft<AcceptanceCard>;
  /** Where the card's brief comes from, for related places. Absent when the checked document is the brief. */
  linkedBrief?: LinkedDocument<WorkloadBrief>;
  /** The hardware profile that the card names, or the one that the brief's GPU model matches. */
  profile?: HardwareProfile;
  /** Violations of the schema, already in words. */
  structure: readonly StructureProblem[];
  files: FileProvider;
  /** `YYYY-MM-DD`, for rules about dates. */
  today: string;
  /** A range with, for values that come through an anchor, the place where they are written. */
  at(path: Path, part?: 'key' | 'value'): Pick<Finding, 'range' | 'related'>;
}
