import type { ResultCollector } from '../text/result-collector';
import { parseGpuLine } from '../nvidia-smi/gpu-identity';
import { readErrorText } from '../nvidia-smi/errors';

/** What the sections of the script's output say, gathered line by line. */
export interface Findings {
  facts: Map<string, string>;
  tools: Map<string, string>;
  ncclLibraries: string[];
  versions: Map<string, string>;
  gpuUuids: Map<string, number>;
  gpuCount: number;
  migDevices: number;
  migModes: Set<string>;
  queryFields: Set<string>;
  busyUuids: Set<string>;
  /** The list of processes came back whole. */
  appsKnown: boolean;
  kernelLog?: 'dmesg' | 'journal';
  /** A host engine answered with its own build. */
  engineAnswered: boolean;
}

export const emptyFindings = (): Findings => ({
  facts: new Map(),
  tools: new Map(),
  ncclLibraries: [],
  versions: new Map(),
  gpuUuids: new Map(),
  gpuCount: 0,
  migDevices: 0,
  migModes: new Set(),
  queryFields: new Set(),
  busyUuids: new Set(),
  appsKnown: false,
  engineAnswered: false,
});

/** Larger lists than any real one, so that memory stays bounded whatever a machine prints. */
const MOST_FIELDS = 2000;

type SectionReader = (text: string, found: Findings, collector: ResultCollector, line: number) => void;

const VERSION = String.raw`(\d+(?:\.\d+)+)`;
const DRIVER = [
  new RegExp(String.raw`(?:Driver|KMD) Version\s*:\s*${VERSION}`, 'i'),
  new RegExp(String.raw`^NVRM version:.*?\s${VERSION}\s`),
];
const CUDA = new RegExp(String.raw`CUDA (?:UMD )?Version\s*:\s*${VERSION}`, 'i');
const DCGM = new RegExp(String.raw`version\s*:\s*v?${VERSION}`, 'i');

function keepFirst(found: Findings, name: string, pattern: RegExp, text: string): void {
  const version = pattern.exec(text)?.[1];
  if (version !== undefined && !found.versions.has(name)) found.versions.set(name, version);
}

const readBanner: SectionReader = (text, found) => {
  for (const pattern of DRIVER) keepFirst(found, 'driver', pattern, text);
  keepFirst(found, 'cuda', CUDA, text);
};

const readList: SectionReader = (text, found, collector, line) => {
  const gpu = parseGpuLine(text);
  if (gpu) {
    found.gpuCount++;
    if (gpu.uuid !== undefined) found.gpuUuids.set(gpu.uuid, gpu.index);
  } else if (/^\s+MIG \S+\s+Device/.test(text)) found.migDevices++;
  else readErrorText(text, collector, line);
};

export const SECTION_READERS: Readonly<Record<string, SectionReader>> = {
  'driver-version': readBanner,
  'smi-banner': readBanner,
  'smi-list': readList,
  'smi-help': (text, found) => {
    if (!text.startsWith('"')) return;
    for (const [, name] of text.matchAll(/"([A-Za-z][\w.]*)"/g)) if (name !== undefined && found.queryFields.size < MOST_FIELDS) found.queryFields.add(name);
  },
  'smi-apps': (text, found) => {
    const uuid = /^((?:GPU|MIG)-[0-9a-f/-]+),\s*\d+/i.exec(text)?.[1];
    if (uuid !== undefined && found.busyUuids.size < MOST_FIELDS) found.busyUuids.add(uuid);
  },
  'smi-mig': (text, found) => {
    const mode = /^\d+,\s*(Enabled|Disabled|\[N\/A\])\s*$/i.exec(text)?.[1];
    if (mode !== undefined) found.migModes.add(mode.toLowerCase());
  },
  'dcgmi-version': (text, found) => keepFirst(found, 'dcgm', DCGM, text),
  'dcgmi-engine': (text, found) => {
    keepFirst(found, 'dcgm', DCGM, text);
    found.engineAnswered ||= /^Hostengine build info/i.test(text);
  },
  'python-packages': (text, found) => {
    const [, name, version] = /^([a-z][a-z0-9-]*) (\S+)$/.exec(text) ?? [];
    if (name !== undefined && version !== undefined) found.versions.set(name, version);
  },
  'kernel-log-dmesg': (text, found) => {
    if (text === 'readable') found.kernelLog ??= 'dmesg';
  },
  'kernel-log-journal': (text, found) => {
    if (text === 'readable') found.kernelLog = 'journal';
  },
};
