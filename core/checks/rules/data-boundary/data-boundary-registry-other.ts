import type { Path } from '../../../document/source';
import type { Rule } from '../../contract';

/** `registry.example.com`, `localhost:5000`, with an optional path. Anything else is a description. */
const HOST = /^(?:https?:\/\/|oci:\/\/)?((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|localhost(?::\d+)?)(?:\/\S*)?$/i;

/** An image without a host comes from Docker Hub (Docker documentation, image references). */
function registryOf(image: string): string {
  const first = image.split('/')[0]!;
  const isHost = image.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  return isHost ? first.toLowerCase() : 'docker.io';
}

const matches = (host: string, registry: string): boolean => (host.startsWith('*.') ? registry.endsWith(host.slice(1)) : host === registry);

export const rule: Rule = {
  id: 'data-boundary-registry-other',
  title: 'Image from a registry that the brief does not allow',
  severity: 'error',
  appliesTo: ['brief', 'card'],
  docs: { why: 'The run pulls from where the data boundary says that nothing may come from.' },
  check: ({ brief, card, subject, at }) => {
    const hosts = (brief?.dataBoundary?.registries ?? []).map((entry) => HOST.exec(entry.trim())?.[1]?.toLowerCase());
    // A description of a registry cannot be compared.
    if (hosts.length === 0 || hosts.includes(undefined)) return [];
    const [path, image]: [Path, string | undefined] = subject === 'card' ? [['runtime', 'image'], card?.runtime?.image] : [['layers', 'runtime', 'image'], brief?.layers?.runtime?.image];
    if (image === undefined || !/^[a-z0-9][^\s$]*(?::|@)\S+$/i.test(image) || hosts.some((host) => matches(host!, registryOf(image)))) return [];
    return [{ message: `The image comes from ${registryOf(image)}; the brief allows ${hosts.join(', ')}.`, ...at(path) }];
  },
};
