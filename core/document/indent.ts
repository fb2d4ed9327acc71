/** The indentation that a document already uses for a nested map; 2 when it has none. */
export function indentStep(text: string): number {
  const nested = /^(?! )[^\s#-][^\n]*:[^\S\n]*\r?\n(?:[^\S\n]*(?:#[^\n]*)?\r?\n)*( +)(?=[^\s#-])/m.exec(text);
  return nested?.[1]?.length ?? 2;
}
