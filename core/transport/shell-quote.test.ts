import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loginShellLine, quoteCommand } from './shell-quote';

const NASTY = ['plain', '', `it's`, '"$HOME" `id`', 'back\\slash \\\\ two \\', 'two\nlines', 'wow! !! !$', '%d %b \\0101', 'é 漢', '* ? ~ # ; & | < >', '-n'];
const SHELLS = ['/bin/sh', '/bin/bash', '/bin/zsh', '/usr/bin/fish', '/usr/bin/tcsh'].filter((shell) => existsSync(shell));

describe('a command as one line for a login shell', () => {
  it.each(SHELLS)('reaches the command unchanged through %s', (shell) => {
    const line = loginShellLine(`exec ${quoteCommand(['printf', '[%s]', ...NASTY])}`);
    expect(line).not.toContain('\n');
    expect(execFileSync(shell, ['-c', line], { encoding: 'utf8' })).toBe(NASTY.map((argument) => `[${argument}]`).join(''));
  });

  it('leaves plain words readable', () => {
    expect(loginShellLine('exec nvidia-smi -L')).toBe(`exec sh -c 'eval "$(printf %b "$0")"' 'exec nvidia-smi -L'`);
  });
});
