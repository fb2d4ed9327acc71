import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listOf } from '../probes/nvidia-smi/testing/fixtures';
import { runCard } from '../run/run-card';
import { ScriptedMachine } from '../run/testing/scripted-machine';
import { readSigningKey } from '../transport/ssh2/identity';
import { exportBundle } from './bundle';
import { verifyBundle, type Verification } from './verify';
import { writeZip } from './zip';

const CARD = `kind: AcceptanceCard
schemaVersion: 1
name: three gpus
targets: [{ name: rack, host: rack.example.com, user: root }]
stages:
  environment-smoke:
    probes: [{ id: nvidia-smi-list }]
    criteria: [{ id: gpus, metric: gpu.count, comparator: "==", value: 3 }]
`;
const SIGNATURE = 'tagmanifest-sha256.txt.sig';

describe('a signed bundle', () => {
  let folder: string;
  let runDir: string;
  let signedBy: { file: string; line: string };
  const bundle = (): string => join(folder, 'bundle.zip');

  /** A new key on disk, and the line that allows it. */
  function newKey(name: string): { file: string; line: string } {
    const key = ssh2.utils.generateKeyPairSync('ed25519');
    writeFileSync(join(folder, name), key.private, { mode: 0o600 });
    return { file: join(folder, name), line: `${name}@example.com ${key.public}` };
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signature-'));
    const hooks = { approveHost: async () => true, consent: async () => ({ readOnly: true, invasive: false }), acceptFirstSeenKey: async () => false, onEvent: () => undefined };
    const machine = new ScriptedMachine({ 'nvidia-smi -L': { stdout: `${listOf(3)}\n` } });
    ({ runDir } = await runCard({ cardPath: 'card.yaml', cardText: CARD, outDir: folder, by: 'cli', toolVersion: '0.0.0' }, hooks, { connect: async () => machine }));
    signedBy = newKey('ada');
    await exportBundle(runDir, bundle(), await readSigningKey(signedBy.file, {}));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The bundle with other files, sealed anew as if it had been exported so. */
  async function repack(change: (files: Record<string, Uint8Array>) => void): Promise<void> {
    const files = unzipSync(readFileSync(bundle()));
    change(files);
    const paths = Object.entries(files).map(([name, bytes], index) => {
      const path = join(folder, `file-${index}`);
      writeFileSync(path, bytes);
      return { name, path };
    });
    await writeZip(bundle(), paths);
  }
  const stepOf = ({ steps }: Verification) => steps.find(({ name }) => name === 'signature');

  it('says which key signed, and whose it is when allowed signers are given', async () => {
    const open = await verifyBundle(bundle());
    expect(open).toMatchObject({ state: 'verified', verdict: 'accepted' });
    expect(stepOf(open)?.message).toMatch(/^Signed with ssh-ed25519 SHA256:\S+\. Whose key that is was not asked\.$/);
    expect(open.doesNotProve[0]).toContain('who made the bundle');
    const known = await verifyBundle(bundle(), { allowedSigners: signedBy.line });
    expect(known.state).toBe('verified');
    expect(stepOf(known)?.message).toMatch(/^Signed by ada@example\.com with ssh-ed25519 SHA256:/);
    expect(known.doesNotProve.join()).not.toContain('who made the bundle');
  });

  it('is not verified for whom its signer is a stranger', async () => {
    const verification = await verifyBundle(bundle(), { allowedSigners: newKey('eve').line });
    expect(verification.state).toBe('not-verified');
    expect(stepOf(verification)).toMatchObject({ state: 'failed', message: expect.stringContaining('not one of the allowed signers') });
  });

  it('is not verified without its signature, when one was asked for', async () => {
    await repack((files) => delete files[SIGNATURE]);
    expect((await verifyBundle(bundle())).state).toBe('verified');
    expect(stepOf(await verifyBundle(bundle(), { allowedSigners: signedBy.line }))).toMatchObject({ state: 'failed', message: expect.stringContaining('is not signed') });
  });

  it('is not verified with a signature of other bytes', async () => {
    const first = unzipSync(readFileSync(bundle()))[SIGNATURE]!;
    const hooks = { approveHost: async () => true, consent: async () => ({ readOnly: true, invasive: false }), acceptFirstSeenKey: async () => false, onEvent: () => undefined };
    const other = await runCard({ cardPath: 'card.yaml', cardText: CARD, outDir: folder, by: 'cli', toolVersion: '0.0.0' }, hooks, { connect: async () => new ScriptedMachine({ 'nvidia-smi -L': { stdout: `${listOf(3)}\n` } }) });
    await exportBundle(other.runDir, bundle());
    await repack((files) => (files[SIGNATURE] = first));
    expect(stepOf(await verifyBundle(bundle()))).toMatchObject({ state: 'failed', message: 'The signature does not belong to this bundle.' });
    await repack((files) => (files[SIGNATURE] = Buffer.from('signed, Ada\n')));
    expect(stepOf(await verifyBundle(bundle()))).toMatchObject({ state: 'failed', message: 'The signature is not one that ssh-keygen makes.' });
  });

  it('asks for the passphrase of the key, and says in words why a key cannot be used', async () => {
    const key = ssh2.utils.generateKeyPairSync('ed25519', { passphrase: 'tea at five', cipher: 'aes256-ctr', rounds: 2 });
    const file = join(folder, 'locked');
    writeFileSync(file, key.private);
    await expect(readSigningKey(file, {})).rejects.toThrow('No passphrase was given');
    await expect(readSigningKey(file, { passphrase: async () => 'coffee' })).rejects.toThrow('is wrong');
    expect((await readSigningKey(file, { passphrase: async () => 'tea at five' })).privateKey.asymmetricKeyType).toBe('ed25519');
    writeFileSync(file, key.public);
    await expect(readSigningKey(file, {})).rejects.toThrow('is a public key');
    writeFileSync(file, 'no key');
    await expect(readSigningKey(file, {})).rejects.toThrow('has a format that cannot be used');
    await expect(readSigningKey(join(folder, 'none'), {})).rejects.toThrow('cannot be read');
  });
});
