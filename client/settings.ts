import { join } from 'node:path';
import { workspace } from 'vscode';
import { CONFIGURATION } from './ids';

/** Where run folders of a workspace lie; undefined without a folder. */
export function runsFolder(): string | undefined {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  const name = workspace.getConfiguration(CONFIGURATION).get<string>('runsFolder', join('.gpu-acceptance', 'runs'));
  return root === undefined ? undefined : join(root, name);
}

/** Machine-scoped: a workspace can never name the files that host keys are checked against. */
export function knownHostsFiles(): string[] | undefined {
  const files = workspace.getConfiguration(CONFIGURATION).get<string[]>('knownHostsFiles', []);
  return files.length > 0 ? files : undefined;
}
