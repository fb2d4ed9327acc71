import type { AcceptanceCard, WorkloadBrief } from '../../schemas';
import { schemaKeys } from './schema-walk';
import { type DocumentKind, SourceFile } from './source';
import { checkStructure } from './structure';

export interface ReadProblem {
  message: string;
  /** 1-based. */
  line: number;
}

export interface ReadResult<T> {
  /** Absent when the text is not a valid document of the wanted kind. */
  value?: T;
  problems: ReadProblem[];
}

export const readCard = (text: string): ReadResult<AcceptanceCard> => read<AcceptanceCard>('AcceptanceCard', text);
export const readBrief = (text: string): ReadResult<WorkloadBrief> => read<WorkloadBrief>('WorkloadBrief', text);

/** The first document of the wanted kind in a file, valid by its schema. */
function read<T>(kind: DocumentKind, text: string): ReadResult<T> {
  const file = new SourceFile(text);
  const lineOf = (offset: number): number => file.positionAt(offset).line + 1;
  const document = file.documents.find((candidate) => candidate.kind === kind);
  const unreadable = [...file.problems, ...(document ? document.problems : file.documents.flatMap(({ problems }) => problems))];
  if (!document || unreadable.length > 0) {
    const problems = unreadable.map(({ message, range }) => ({ message, line: lineOf(range.start) }));
    return { problems: problems.length > 0 ? problems : [{ message: `There is no document with "kind: ${kind}".`, line: 1 }] };
  }
  const problems = checkStructure(kind, document.value, (path) => schemaKeys(kind, path)).map((problem) => ({
    message: problem.message,
    line: lineOf((problem.atKey ? document.keyRange(problem.path) : document.valueRange(problem.path)).start),
  }));
  return problems.length > 0 ? { problems } : { value: document.value as T, problems };
}
