import { l10n, type Memento, type SecretStorage, Uri, window, workspace } from 'vscode';
import type { CommandPlan } from '../core/probes/contract';
import type { ConsentAnswer, ConsentRequest, PlannedProbe, RunHooks } from '../core/run/contract';
import type { RunEvent } from '../core/run/events';
import { describeCommand } from '../core/run/probe-runner';
import { endpointLabel, type HostKeyQuestion, type SshEndpoint } from '../core/transport/contract';
import { SecretPrompts } from './secret-prompts';

const MS_PER_S = 1000;

/** Asks the person at the editor. Nothing is sent anywhere before an answer; closing a dialog is a no. */
export class ConsentDialogs implements RunHooks {
  private readonly secrets: SecretPrompts;

  constructor(
    private readonly memory: Memento,
    secrets: SecretStorage,
    readonly onEvent: (event: RunEvent) => void,
  ) {
    this.secrets = new SecretPrompts(secrets);
  }

  async approveHost({ hostLabel, stages }: Parameters<RunHooks['approveHost']>[0]): Promise<boolean> {
    const key = `approvedHost:${hostLabel}`;
    if (this.memory.get<boolean>(key)) return true;
    const connect = l10n.t('Connect');
    const answer = await window.showInformationMessage(
      l10n.t('Connect to {0}?', hostLabel),
      { modal: true, detail: l10n.t('The machine is looked at first: tools, versions and permissions, reading only. The exact commands for the stages {0} are shown before any of them runs. You are asked once for this host.', stages.join(', ')) },
      connect,
    );
    if (answer !== connect) return false;
    await this.memory.update(key, true);
    return true;
  }

  async consent(request: ConsentRequest): Promise<ConsentAnswer> {
    const readOnly = await this.approveCommands(request);
    if (!readOnly) return { readOnly: false, invasive: false };
    return { readOnly, invasive: request.invasive.length > 0 && (await this.confirmInvasive(request)) };
  }

  private async approveCommands(request: ConsentRequest): Promise<boolean> {
    const { hostLabel, probes, expectedDurationMs } = request;
    const [run, showWhole] = [l10n.t('Run'), l10n.t('Show Whole Commands')];
    const question = l10n.t('Run {0} commands on {1}, about {2} s?', probes.length, hostLabel, seconds(expectedDurationMs));
    const isShortened = probes.some((planned) => commandText(planned).length > LONGEST_COMMAND);
    const answer = await window.showInformationMessage(question, { modal: true, detail: describeCommands(request, shortCommand) }, run, ...(isShortened ? [showWhole] : []));
    if (answer !== showWhole) return answer === run;
    // Not modal: what is asked about can be read beside it.
    return whileShown(describeCommands(request, commandText), async () => (await window.showInformationMessage(question, run, l10n.t('Do Not Run'))) === run);
  }

  private async confirmInvasive({ hostLabel, invasive }: ConsentRequest): Promise<boolean> {
    const confirm = l10n.t('Take the Capacity');
    const answer = await window.showWarningMessage(l10n.t('These commands take real capacity of {0}. Nobody else may need it now.', hostLabel), { modal: true, detail: invasive.map(({ plan }) => invasiveLine(plan)).join('\n\n') }, confirm);
    return answer === confirm;
  }

  async acceptFirstSeenKey({ endpoint, keyType, fingerprint, note }: HostKeyQuestion): Promise<boolean> {
    const accept = l10n.t('It Is the Right Key');
    const detail = l10n.t('Its {0} key has the fingerprint\n{1}\nCompare it with the one from your provider. It is remembered in your known hosts.', keyType, fingerprint);
    const answer = await window.showWarningMessage(l10n.t('{0}:{1} is seen for the first time.', endpoint.host, endpoint.port), { modal: true, detail: note === undefined ? detail : `${detail}\n\n${note}` }, accept);
    return answer === accept;
  }

  password(endpoint: SshEndpoint): Promise<string | undefined> {
    return this.secrets.ask(`password:${endpointLabel(endpoint)}`, l10n.t('Password for {0}', endpointLabel(endpoint)));
  }

  passphrase(identityFile: string): Promise<string | undefined> {
    return this.secrets.ask(`passphrase:${identityFile}`, l10n.t('Passphrase for {0}', identityFile));
  }

  refused(secret: 'password' | 'passphrase'): Promise<void> {
    return this.secrets.forget(secret);
  }
}

const seconds = (ms: number): number => Math.ceil(ms / MS_PER_S);

const invasiveLine = (plan: CommandPlan): string => l10n.t('{0}\nabout {1} s, at most {2} s', describeCommand(plan).join(' '), seconds(plan.expectedDurationMs), seconds(plan.timeoutMs));

const LONGEST_COMMAND = 140;
const COMMANDS_SCHEME = 'gpu-acceptance-commands';

/** Shows a text that cannot be edited while a question about it is open. */
async function whileShown<T>(text: string, ask: () => Promise<T>): Promise<T> {
  const provider = workspace.registerTextDocumentContentProvider(COMMANDS_SCHEME, { provideTextDocumentContent: () => `${text}\n` });
  try {
    // An editor keeps the text of an address: each question has its own.
    const document = await workspace.openTextDocument(Uri.from({ scheme: COMMANDS_SCHEME, path: `/${l10n.t('Commands')} ${new Date().toISOString()}` }));
    await window.showTextDocument(document);
    return await ask();
  } finally {
    provider.dispose();
  }
}

function describeCommands({ probes, invasive, provability, occupancy }: ConsentRequest, show: (planned: PlannedProbe) => string): string {
  const lines = probes.map((planned) => `${invasive.some((other) => other === planned) ? '⚠ ' : ''}${planned.entry}: ${show(planned)}`);
  const gaps = provability.filter(({ provable }) => !provable).map(({ entry, reason }) => `✗ ${entry}: ${reason?.message ?? ''}`);
  const notices = occupancy === undefined ? [] : [`⚠ ${occupancy}`, l10n.t('Their work and these measurements spoil each other: a missed bandwidth or time is inconclusive.'), ''];
  return [...notices, ...lines, ...(gaps.length > 0 ? ['', l10n.t('Cannot be proved on this machine:'), ...gaps] : []), ...(invasive.length > 0 ? ['', l10n.t('⚠ takes real capacity and is confirmed apart.')] : [])].join('\n');
}

const commandText = ({ plan }: PlannedProbe): string => (plan.kind === 'command' || plan.kind === 'scrape' ? describeCommand(plan).join(' ') : '');

function shortCommand(planned: PlannedProbe): string {
  const text = commandText(planned);
  return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
}
