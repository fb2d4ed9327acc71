import { t } from '@vscode/l10n';
import { h } from './dom';
import type { RunModel } from './run-model';

const SHORT_HASH = 12;

/** What is known of the machine and of the proof chain, each with its full value. A fact that the machine did not give is left out. */
export function factsOf({ capabilities, transport, hostKeyFingerprint, planSha256, cardSha256, toolVersion, target }: RunModel): { name: string; value: string; whole: string }[] {
  const surroundings = [capabilities?.container, capabilities?.virtualMachine].filter((part) => part !== undefined).join(', ');
  const facts: [name: string, value: string | number | undefined, whole?: string][] = [
    [t('Target'), target],
    [t('GPUs'), capabilities?.gpuCount],
    [t('In use by others'), capabilities?.busyGpus?.join(', ')],
    [t('Driver'), capabilities?.driverVersion],
    [t('CUDA'), capabilities?.cudaVersion],
    [t('DCGM'), capabilities?.dcgmVersion],
    [t('NCCL'), capabilities?.ncclVersion],
    [t('Runs in'), surroundings || undefined],
    [t('Transport'), transport],
    [t('Host key'), hostKeyFingerprint && `${hostKeyFingerprint.slice(0, 'SHA256:'.length + 8)}…`, hostKeyFingerprint],
    [t('Card'), cardSha256?.slice(0, SHORT_HASH), cardSha256],
    [t('Plan'), planSha256?.slice(0, SHORT_HASH), planSha256],
    [t('Version'), toolVersion],
  ];
  return facts.flatMap(([name, value, whole]) => (value === undefined || value === '' ? [] : [{ name, value: String(value), whole: whole ?? String(value) }]));
}

export function factStrip(run: RunModel): HTMLElement {
  return h('dl', { class: 'facts', 'data-testid': 'facts' }, ...factsOf(run).map(({ name, value, whole }) => h('div', { 'data-key': name }, h('dt', {}, name), h('dd', { title: whole }, value))));
}
