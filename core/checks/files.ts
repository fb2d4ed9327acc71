/** What is known of a file that a document names. `unknown`: it cannot be looked at from here, so nothing may be said about it. */
export type FileState = 'present' | 'missing' | 'unknown';

/**
 * Access to the files that a document names, by paths relative to that document. Checks do no input or output of their own:
 * the command line reads the disk, the language server also its open editors, tests a map.
 */
export interface FileProvider {
  state(path: string): FileState;
  /** Undefined when it is missing, unknown, a folder or larger than 1 MB. */
  readText(path: string): string | undefined;
  /** Absent when the files of a folder cannot be listed from here. */
  list?(folder: string): { name: string; isFolder: boolean }[];
}

/** For text that has no place: nothing can be known of other files. */
export const NO_FILES: FileProvider = { state: () => 'unknown', readText: () => undefined };

/** Files given as a map of path to text; everything else is missing. */
export function filesFromMap(files: Readonly<Record<string, string>>): FileProvider {
  const normalize = (path: string): string => path.replace(/^\.\//, '');
  return {
    state: (path) => (normalize(path) in files ? 'present' : 'missing'),
    readText: (path) => files[normalize(path)],
    list: (folder) =>
      Object.keys(files)
        .filter((path) => path.startsWith(folder === '.' || folder === '' ? '' : `${folder}/`))
        .map((name) => ({ name, isFolder: false })),
  };
}
