/** One argument for a POSIX shell: nothing inside is interpreted. */
export function quoteArgument(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export const quoteCommand = (argv: readonly string[]): string => argv.map(quoteArgument).join(' ');

/**
 * A POSIX shell command as one line for a login shell of any kind. Shells differ in what single quotes leave alone (fish reads
 * backslashes in them, csh knows no line breaks and looks for `!`), so everything but plain characters goes as octal escapes,
 * in the form that printf(1) of POSIX defines for `%b`.
 */
export function loginShellLine(command: string): string {
  const escaped = Array.from(Buffer.from(command, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9 _./:=@%+,-]/.test(character) ? character : `\\0${byte.toString(8).padStart(3, '0')}`;
  });
  return `exec sh -c 'eval "$(printf %b "$0")"' '${escaped.join('')}'`;
}
