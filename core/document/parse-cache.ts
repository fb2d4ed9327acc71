import { SourceFile } from './source';

const CAPACITY = 8;
const recent = new Map<string, SourceFile>();

/** Parses text, or gives the tree of the same text again: a brief is read with every change of its card. */
export function parseCached(text: string): SourceFile {
  const known = recent.get(text);
  recent.delete(text);
  const file = known ?? new SourceFile(text);
  recent.set(text, file);
  if (recent.size > CAPACITY) recent.delete(recent.keys().next().value!);
  return file;
}
