import { TabInputText, type Uri, window, workspace } from 'vscode';
import { LANGUAGES } from './ids';

export const CARD_FILES = '**/*.acceptance.{yaml,yml}';

const MOST_CARDS = 200;

/** The acceptance cards of the workspace; the copies inside runs are none of them. */
export const findCards = (): Thenable<Uri[]> => workspace.findFiles(CARD_FILES, '**/{node_modules,.gpu-acceptance}/**', MOST_CARDS);

const CARD_NAME = /\.acceptance\.ya?ml$/;

/** The card somebody looks at: in the active tab or editor, or else the only one in sight. */
export function cardInView(): Uri | undefined {
  // A file that was opened a moment ago has its tab before its editor.
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputText && CARD_NAME.test(input.uri.path)) return input.uri;
  const active = window.activeTextEditor?.document;
  if (active?.languageId === LANGUAGES.card) return active.uri;
  // The workbench page is active, and the card beside it.
  const visible = window.visibleTextEditors.filter(({ document }) => document.languageId === LANGUAGES.card);
  return visible.length === 1 && active === undefined ? visible[0]!.document.uri : undefined;
}
