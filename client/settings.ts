import { homedir } from 'node:os';
import { workspace } from 'vscode';
import { CONFIGURATION } from './ids';

/** Machine-scoped: a workspace can never name the files that host keys are checked against. */
export function knownHostsFiles(): string[] | undefined {
  const files = workspace.getConfiguration(CONFIGURATION).get<string[]>('knownHostsFiles', []);
  return files.length > 0 ? files : undefined;
}

const fileSetting = (name: string): string | undefined => {
  const file = workspace.getConfiguration(CONFIGURATION).get<string>(name, '').trim();
  return file === '' ? undefined : file.replace(/^~(?=\/|$)/, homedir());
};

/** Machine-scoped: a workspace can never choose whose name stands under a bundle. */
export const signingKeyFile = (): string | undefined => fileSetting('signingKey');

/** Machine-scoped: a workspace can never say whom to believe. */
export const allowedSignersFile = (): string | undefined => fileSetting('allowedSignersFile');
