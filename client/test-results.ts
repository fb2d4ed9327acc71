import { l10n, Location, type TestController, type TestItem, TestMessage, type TestRun, TestRunRequest } from 'vscode';
import type { RunEvent } from '../core/run/events';
import type { CardVerdict, CriterionVerdict } from '../core/verdict/contract';
import type { ActiveRun } from './run-service';

type Ended = Extract<RunEvent, { type: 'probe-ended' }>;

/** One run of a card as the Test Explorer shows it. */
export class TestResults {
  private readonly card: string;
  private readonly run: TestRun;

  /** `request`: absent for a run that was started by a command. */
  constructor(
    private readonly controller: TestController,
    { selection }: ActiveRun,
    request: TestRunRequest | undefined,
    cancel: () => void,
  ) {
    this.card = selection.card.toString();
    const item = controller.items.get(this.card);
    this.run = controller.createTestRun(request ?? new TestRunRequest(item ? [item] : undefined), l10n.t('Acceptance run'), true);
    this.run.token.onCancellationRequested(cancel);
  }

  take(event: RunEvent): void {
    switch (event.type) {
      case 'stage-started':
        this.with(event.stage, (item) => this.run.started(item));
        break;
      case 'probe-started':
        this.with(`${event.stage}/probe/${event.entry}`, (item) => this.run.started(item));
        this.print(`${event.stage} ${event.entry}: ${event.command?.join(' ') ?? l10n.t('reads {0}', event.from ?? '')}`);
        break;
      case 'probe-ended':
        this.probeEnded(event);
        break;
      case 'probe-not-run':
        this.with(`${event.stage}/probe/${event.entry}`, (item) => this.run.errored(item, at(item, new TestMessage(l10n.t('Not run: {0}', event.reason.message)))));
        break;
      case 'verdict':
        this.judge(event.verdict);
        break;
      case 'run-ended':
        if (event.message !== undefined) this.print(event.message);
        break;
    }
  }

  end(): void {
    this.run.end();
  }

  private probeEnded({ probeRun, outcome, reasons, durationMs }: Ended): void {
    const [stage, entry] = probeRun.split('/');
    const text = reasons.map(({ message, line }) => (line === undefined ? message : l10n.t('{0} (line {1})', message, line))).join('\n');
    this.print(`${stage} ${entry}: ${outcome}${text === '' ? '' : `\n${text}`}`);
    this.with(`${stage}/probe/${entry}`, (item) => {
      if (outcome === 'measured') return this.run.passed(item, durationMs);
      const message = at(item, new TestMessage(text || outcome));
      return outcome === 'failed' ? this.run.failed(item, message, durationMs) : this.run.errored(item, message, durationMs);
    });
  }

  private judge({ criteria, summary }: CardVerdict): void {
    this.print(summary);
    for (const criterion of criteria) {
      const isWritten = this.with(`${criterion.stage}/criterion/${criterion.id}`, (item) => this.judged(item, criterion));
      // What the card requires outside its stages has no line of its own: it stands at the card.
      if (!isWritten && criterion.state !== 'pass') this.with('', (item) => this.judged(item, criterion));
    }
  }

  private judged(item: TestItem, criterion: CriterionVerdict): void {
    const { state, level, reason, expected, measured } = criterion;
    if (state === 'pass') return this.run.passed(item);
    // An advisory criterion rejects nothing; its reason is in the output.
    if (level === 'advisory') {
      this.print(`${criterion.id} (${l10n.t('advisory')}): ${reason}`);
      return this.run.skipped(item);
    }
    const message = at(item, TestMessage.diff(`${criterion.id}: ${reason}`, expected, measured ?? l10n.t('nothing')));
    return state === 'fail' ? this.run.failed(item, message) : this.run.errored(item, message);
  }

  /** The terminal that shows it wants carriage returns. */
  private print(text: string): void {
    this.run.appendOutput(`${text.replaceAll(/\r?\n/g, '\r\n')}\r\n`);
  }

  /** Whether the card has this item: `` is the card, `stage` a stage, anything longer a child of it. */
  private with(path: string, action: (item: TestItem) => void): boolean {
    const card = this.controller.items.get(this.card);
    const [stage] = path.split('/');
    const parent = path === '' ? undefined : card?.children.get(`${this.card}#${stage}`);
    const item = path === '' ? card : path === stage ? parent : parent?.children.get(`${this.card}#${path}`);
    if (item) action(item);
    return item !== undefined;
  }
}

function at(item: TestItem, message: TestMessage): TestMessage {
  if (item.uri && item.range) message.location = new Location(item.uri, item.range);
  return message;
}
