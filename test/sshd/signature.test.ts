import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SIGNATURE_NAMESPACE } from '../../core/evidence/signature';
import { checkSshSignature, signWithSshKey } from '../../core/evidence/ssh-signature';
import { readSigningKey } from '../../core/transport/ssh2/identity';

const MESSAGE = '0f  data/card.yaml\n';

describe.each(['ed25519', 'ecdsa', 'rsa'])('with OpenSSH, a key of the kind %s', (type) => {
  let folder: string;
  let key: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gpu-acceptance-signature-'));
    key = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', 'ada', '-f', key]);
    writeFileSync(join(folder, 'message'), MESSAGE);
    writeFileSync(join(folder, 'allowed'), `ada@example.com ${readFileSync(`${key}.pub`, 'utf8')}`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes signatures that ssh-keygen verifies', async () => {
    writeFileSync(join(folder, 'signature'), signWithSshKey(Buffer.from(MESSAGE), SIGNATURE_NAMESPACE, await readSigningKey(key, {})));
    const verify = (input: string) => spawnSync('ssh-keygen', ['-Y', 'verify', '-f', join(folder, 'allowed'), '-I', 'ada@example.com', '-n', SIGNATURE_NAMESPACE, '-s', join(folder, 'signature')], { input }).status;
    expect(verify(MESSAGE)).toBe(0);
    expect(verify(`${MESSAGE}more`)).not.toBe(0);
  });

  it('has its signatures by ssh-keygen verified', () => {
    execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', SIGNATURE_NAMESPACE, '-f', key, join(folder, 'message')], { stdio: 'ignore' });
    const signature = readFileSync(join(folder, 'message.sig'), 'utf8');
    const checked = checkSshSignature(signature, Buffer.from(MESSAGE), SIGNATURE_NAMESPACE);
    expect('publicKey' in checked && checked.publicKey.toString('base64')).toBe(readFileSync(`${key}.pub`, 'utf8').split(' ')[1]);
    expect(checkSshSignature(signature, Buffer.from(`${MESSAGE}more`), SIGNATURE_NAMESPACE)).toHaveProperty('problem');
  });
});
