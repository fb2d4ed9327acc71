export const root: string;
export function findChromium(): string | undefined;
/** Path of the newest VSIX, packaged anew. */
export function packageExtension(): string;
