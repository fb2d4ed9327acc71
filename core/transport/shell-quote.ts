/** One argument for any shell that knows single quotes (sh, bash, zsh, dash, fish, csh): nothing inside is interpreted. */
export function quoteArgument(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export const quoteCommand = (argv: readonly string[]): string => argv.map(quoteArgument).join(' ');
