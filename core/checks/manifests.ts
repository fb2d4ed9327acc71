import type { SourceFile } from '../document/source';
import { draftOf } from './draft';

/** Paths of the Kubernetes manifests that the cards of a file name. */
export function manifestsOf(file: SourceFile): string[] {
  return file.documents
    .filter(({ kind }) => kind === 'AcceptanceCard')
    .flatMap(({ value }) => draftOf('AcceptanceCard', value).schedulerPath?.manifests ?? []);
}

/** Kubernetes documents say their API version; briefs and cards do not. */
export function isManifestFile(file: SourceFile): boolean {
  const isManifest = (value: unknown): boolean => typeof value === 'object' && value !== null && 'apiVersion' in value && 'kind' in value;
  return file.documents.some(({ value }) => isManifest(value)) && !file.documents.some(({ kind }) => kind !== undefined);
}
