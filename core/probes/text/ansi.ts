/** CSI sequences (colours, underline, cursor), OSC sequences (titles, links) and single-character escapes of ECMA-48. */
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])/g;

/** Removes terminal escape sequences: tools such as `nvidia-smi topo -m` write them even into a pipe. */
export function stripAnsi(text: string): string {
  return text.includes('\x1b') ? text.replace(ESCAPES, '') : text;
}
