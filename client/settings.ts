import { workspace } from 'vscode';
import { CONFIGURATION } from './ids';

/** Machine-scoped: a workspace can never name the files that host keys are checked against. */
export function knownHostsFiles(): string[] | undefined {
  const files = workspace.getConfiguration(CONFIGURATION).get<string[]>('knownHostsFiles', []);
  return files.length > 0 ? files : undefined;
}
