import manifest from '../package.json';

export const TOOL_VERSION: string = manifest.version;
