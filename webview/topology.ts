import { t } from '@vscode/l10n';
import { h, scrollable } from './dom';
import { byName } from './format';
import type { Measured } from './measured';

export type LinkClass = 'link-nv' | 'link-near' | 'link-mid' | 'link-far';

/** How near a link is, in the terms of `nvidia-smi topo -m`: NVLink, one PCIe switch, one host bridge or NUMA node, across sockets. */
export function linkClass(link: string): LinkClass {
  if (link.startsWith('NV')) return 'link-nv';
  if (link === 'PIX' || link === 'PXB') return 'link-near';
  return link === 'PHB' || link === 'NODE' ? 'link-mid' : 'link-far';
}

export interface LinkCount {
  link: string;
  pairs: number;
}

const isGpu = (name: string): boolean => name.startsWith('GPU');

export function linkBetween({ links }: Measured, from: string, to: string): string | undefined {
  return links.get(`${from}|${to}`) ?? links.get(`${to}|${from}`);
}

/** How many pairs of GPUs have which link, most pairs first. */
export function gpuLinks(measured: Measured): LinkCount[] {
  const gpus = [...measured.endpoints].filter(isGpu).sort(byName);
  const counts = new Map<string, number>();
  for (const [index, from] of gpus.entries()) {
    for (const to of gpus.slice(index + 1)) {
      const link = linkBetween(measured, from, to);
      if (link !== undefined) counts.set(link, (counts.get(link) ?? 0) + 1);
    }
  }
  return [...counts].map(([link, pairs]) => ({ link, pairs })).sort((a, b) => b.pairs - a.pairs);
}

export function topologyMatrix(measured: Measured): HTMLElement | undefined {
  if (measured.endpoints.size === 0) return undefined;
  const names = [...measured.endpoints].sort((a, b) => Number(isGpu(b)) - Number(isGpu(a)) || byName(a, b));
  const head = h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'hidden' }, t('From'))), ...names.map((name) => h('th', { scope: 'col' }, name)));
  const rows = names.map((from) => h('tr', {}, h('th', { scope: 'row' }, from), ...names.map((to) => linkCell(measured, from, to))));
  return h(
    'div',
    {},
    scrollable(t('Links between GPUs and network adapters'), h('table', { class: 'matrix' }, h('caption', { class: 'hidden' }, t('Links between GPUs and network adapters')), h('thead', {}, head), h('tbody', {}, ...rows))),
    h('p', { class: 'summary' }, gpuLinks(measured).map(({ link, pairs }) => t('{0}: {1} pairs of GPUs', link, pairs)).join(' · ')),
  );
}

function linkCell(measured: Measured, from: string, to: string): HTMLElement {
  if (from === to) return h('td', { class: 'self' }, '·');
  const link = linkBetween(measured, from, to);
  return link === undefined ? h('td', {}, '') : h('td', { class: linkClass(link), title: `${from} – ${to}: ${link}` }, link);
}
