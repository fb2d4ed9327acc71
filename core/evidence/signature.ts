import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint, keyTypeOf } from '../transport/known-hosts';
import { findSigner, parseAllowedSigners } from './allowed-signers';
import { SIGNATURE_FILE, TAG_MANIFEST } from './bag';
import { readOptional } from './run-files';
import { checkSshSignature } from './ssh-signature';

/** What a signature of a bundle is made for; `-n` of ssh-keygen. */
export const SIGNATURE_NAMESPACE = 'gpu-acceptance-bundle';

export interface FoundSigner {
  /** Whose key it is; absent when nobody said which keys are allowed. */
  principals?: string;
  message: string;
}

/** Checks the signature of an unpacked bundle. Undefined: it has none, and none is demanded. */
export async function checkBagSignature(directory: string, allowedSigners: string | undefined, now = new Date()): Promise<FoundSigner | { problem: string } | undefined> {
  const text = await readOptional(join(directory, SIGNATURE_FILE));
  if (text === undefined) return allowedSigners === undefined ? undefined : { problem: 'The bundle is not signed, and a signature by an allowed signer was asked for.' };
  const checked = checkSshSignature(text, await readFile(join(directory, TAG_MANIFEST)), SIGNATURE_NAMESPACE);
  if ('problem' in checked) return checked;
  const key = `${keyTypeOf(checked.publicKey)} ${fingerprint(checked.publicKey)}`;
  if (allowedSigners === undefined) return { message: `Signed with ${key}. Whose key that is was not asked.` };
  const { signers, skipped } = parseAllowedSigners(allowedSigners);
  const found = findSigner(signers, checked.publicKey, SIGNATURE_NAMESPACE, now);
  if ('problem' in found) return { problem: `Signed with ${key}. ${found.problem}${skipped.length === 0 ? '' : ` Lines of the file that could not be used: ${skipped.join(', ')}.`}` };
  return { principals: found.principals, message: `Signed by ${found.principals} with ${key}.` };
}
