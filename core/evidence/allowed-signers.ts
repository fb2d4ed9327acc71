import { matchesPattern } from '../transport/known-hosts';

/** Whose keys may sign: the format of OpenSSH, ssh-keygen(1), section ALLOWED SIGNERS. */
export interface AllowedSigner {
  principals: string;
  /** Absent: for any purpose. */
  namespaces?: string[];
  validAfter?: Date;
  validBefore?: Date;
  /** base64 */
  key: string;
  line: number;
}

/** Lines that are no plain key (certificate authorities, damaged ones) allow nobody; `skipped` holds their numbers. */
export function parseAllowedSigners(text: string): { signers: AllowedSigner[]; skipped: number[] } {
  const [signers, skipped]: [AllowedSigner[], number[]] = [[], []];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const signer = parseLine(line, index + 1);
    if (signer) signers.push(signer);
    else skipped.push(index + 1);
  }
  return { signers, skipped };
}

/** Words are separated by blanks; a blank inside quotes separates nothing. */
const WORD = /(?:"[^"]*"|[^\s"])+/g;

function parseLine(line: string, number: number): AllowedSigner | undefined {
  const words = line.match(WORD) ?? [];
  const principals = words.shift();
  const options = isKeyType(words[0]) ? '' : (words.shift() ?? '');
  const [type, key] = words;
  if (principals === undefined || !isKeyType(type) || key === undefined) return undefined;
  const signer: AllowedSigner = { principals: unquoted(principals), key, line: number };
  for (const option of options.match(/(?:"[^"]*"|[^,"])+/g) ?? []) {
    if (!applyOption(signer, option)) return undefined;
  }
  return signer;
}

/** False for an option that is not understood: ignoring one could allow more than was meant. */
function applyOption(signer: AllowedSigner, option: string): boolean {
  const [name = '', value = ''] = [option.split('=')[0]?.toLowerCase(), unquoted(option.slice(option.indexOf('=') + 1))];
  if (name === 'namespaces') {
    signer.namespaces = value.split(',');
    return true;
  }
  if (name !== 'valid-after' && name !== 'valid-before') return false;
  const date = parseDate(value);
  if (!date) return false;
  if (name === 'valid-after') signer.validAfter = date;
  else signer.validBefore = date;
  return true;
}

/** YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, in UTC with a `Z` behind it, otherwise in local time. */
function parseDate(text: string): Date | undefined {
  const found = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(Z?)$/.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone] = found;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Who may sign with this key now, or why nobody may. */
export function findSigner(signers: readonly AllowedSigner[], publicKey: Buffer, namespace: string, now: Date): { principals: string } | { problem: string } {
  const own = signers.filter(({ key }) => key === publicKey.toString('base64'));
  if (own.length === 0) return { problem: 'Its key is not one of the allowed signers.' };
  const forPurpose = own.filter(({ namespaces }) => namespaces === undefined || namespaces.some((pattern) => matchesPattern(pattern, namespace)));
  if (forPurpose.length === 0) return { problem: `Its key is allowed (line ${own[0]!.line}), but not for ${namespace}.` };
  const current = forPurpose.find(({ validAfter, validBefore }) => (!validAfter || validAfter <= now) && (!validBefore || now < validBefore));
  return current ? { principals: current.principals } : { problem: `Its key is not allowed at this time (line ${forPurpose[0]!.line}).` };
}

const isKeyType = (word: string | undefined): boolean => word !== undefined && /^(?:ssh-|ecdsa-|sk-|rsa-sha2-)[\w@.-]+$/.test(word);
const unquoted = (text: string): string => text.replace(/^"(.*)"$/, '$1');
