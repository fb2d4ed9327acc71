import { l10n, type Memento, type Uri, window } from 'vscode';
import type { AcceptanceCard } from '../schemas';
import { endpointLabel } from '../core/transport/contract';

const DEFAULT_PORT = 22;

/** Which of a card's targets its runs go to. Asked once for each card with several; "Select Target" asks again. */
export class TargetChoice {
  constructor(private readonly memory: Memento) {}

  /** Undefined when the user chose none. A card with one target needs no choice. */
  async of(card: Uri, targets: AcceptanceCard['targets']): Promise<string | undefined> {
    if (targets.length < 2) return targets[0]?.name;
    const chosen = this.memory.get<string>(keyOf(card));
    return targets.some(({ name }) => name === chosen) ? chosen : this.ask(card, targets);
  }

  async ask(card: Uri, targets: AcceptanceCard['targets']): Promise<string | undefined> {
    const items = targets.map(({ name, host, user, port = DEFAULT_PORT }) => ({ label: name, description: endpointLabel({ host, user, port }) }));
    const picked = await window.showQuickPick(items, { title: l10n.t('Run on which target?'), placeHolder: this.memory.get<string>(keyOf(card)) });
    if (picked) await this.memory.update(keyOf(card), picked.label);
    return picked?.label;
  }
}

const keyOf = (card: Uri): string => `target:${card.toString()}`;
