import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { l10n, ProgressLocation, Uri, window } from 'vscode';
import type { Verification } from '../core/evidence/verify';
import { allowedSignersFile } from './settings';

/** Verifies a bundle that somebody sent, and shows each step. Uses no network. */
export async function verifyBundleFile(uri?: Uri): Promise<void> {
  const file = uri instanceof Uri ? uri : (await window.showOpenDialog({ filters: { [l10n.t('Evidence bundle')]: ['zip'] }, title: l10n.t('Verify Evidence Bundle') }))?.[0];
  if (!file) return;
  const signers = allowedSignersFile();
  const options = signers === undefined ? {} : { allowedSigners: await readSigners(signers) };
  const { verifyBundle } = await import('../core/evidence/verify');
  const title = l10n.t('Verifying {0}', basename(file.fsPath));
  show(file, await window.withProgress({ location: ProgressLocation.Notification, title }, () => verifyBundle(file.fsPath, options)));
}

const readSigners = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: Error) => {
    throw new Error(l10n.t('The file of allowed signers cannot be read: {0} Correct the setting gpuAcceptance.allowedSignersFile.', error.message));
  });

const MARKS = { ok: '✓', failed: '✗', 'cannot-tell': '?' } as const;

function show(file: Uri, { state, verdict, steps, doesNotProve }: Verification): void {
  const name = basename(file.fsPath);
  const heads: Record<Verification['state'], string> = {
    verified: l10n.t('{0} is verified: {1}.', name, verdict ?? l10n.t('no verdict')),
    'not-verified': l10n.t('{0} is not verified. Do not rely on it.', name),
    'cannot-tell': l10n.t('{0} was made by another version, which judges differently. This one cannot tell.', name),
  };
  const detail = [...steps.map((step) => `${MARKS[step.state]} ${step.name}: ${step.message}`), '', l10n.t('This does not prove:'), ...doesNotProve.map((item) => `- ${item}`)].join('\n');
  const tell = state === 'verified' ? window.showInformationMessage : state === 'not-verified' ? window.showErrorMessage : window.showWarningMessage;
  void tell(heads[state], { modal: true, detail });
}
