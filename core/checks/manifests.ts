import type { SourceFile } from '../document/source';
import { draftOf } from './draft';

/** Paths of the Kubernetes manifests that the cards of a file name. */
export function manifestsOf(file: SourceFile): string[] {
  return file.documents
    .filter(({ kind }) => kind === 'AcceptanceCard')
    .flatMap(({ value }) => draftOf('AcceptanceCard', value).schedulerPath?.manifests ?? []);
}
