import { type Uri, workspace } from 'vscode';

export const CARD_FILES = '**/*.acceptance.{yaml,yml}';

const MOST_CARDS = 200;

/** The acceptance cards of the workspace; the copies inside runs are none of them. */
export const findCards = (): Thenable<Uri[]> => workspace.findFiles(CARD_FILES, '**/{node_modules,.gpu-acceptance}/**', MOST_CARDS);
