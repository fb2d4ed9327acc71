import { strict as assert } from 'node:assert';
import { commands, extensions, languages, Uri, ViewColumn, window, workspace } from 'vscode';
import { cardInView } from '../../../client/cards';
import { author } from './authoring';
import { BRIEF_SCRIPT, CARD_SCRIPT } from './authoring-script';
import { until } from './until';

const EXTENSION = 'gpu-acceptance.gpu-acceptance';

interface Manifest {
  contributes: { commands: { command: string }[]; configuration: { properties: Record<string, { default: unknown }> } };
}

const extension = () => extensions.getExtension<unknown>(EXTENSION)!;
const manifest = (): Manifest => extension().packageJSON as Manifest;
const card = (): Uri => Uri.joinPath(workspace.workspaceFolders![0]!.uri, 'inference', 'support-chat.acceptance.yaml');

/** Tests with the real API, inside the real extension host. */
export const TESTS: Record<string, () => Promise<void>> = {
  'the extension activates': async () => {
    await extension().activate();
    assert.equal(extension().isActive, true);
  },
  'every command of the manifest is registered, and no other': async () => {
    const registered = (await commands.getCommands(true)).filter((command) => command.startsWith('gpuAcceptance.') && !/\.(focus|open|resetViewLocation|removeView|toggleVisibility)$/.test(command));
    const contributed = manifest().contributes.commands.map(({ command }) => command);
    assert.deepEqual(contributed.filter((command) => !registered.includes(command)), []);
  },
  'briefs and cards have languages of their own': async () => {
    const known = await languages.getLanguages();
    assert.ok(known.includes('workload-brief') && known.includes('acceptance-card'));
    assert.equal((await workspace.openTextDocument(card())).languageId, 'acceptance-card');
    const brief = Uri.joinPath(card(), '..', 'support-chat.brief.yaml');
    assert.equal((await workspace.openTextDocument(brief)).languageId, 'workload-brief');
  },
  'every setting has the default that the manifest names': async () => {
    for (const [key, { default: value }] of Object.entries(manifest().contributes.configuration.properties)) {
      assert.deepEqual(workspace.getConfiguration().inspect(key)?.defaultValue, value, key);
    }
  },
  'a new card opens as a document with the language of cards': async () => {
    await commands.executeCommand('gpuAcceptance.newCard');
    assert.equal(window.activeTextEditor?.document.languageId, 'acceptance-card');
    assert.match(window.activeTextEditor.document.getText(), /^kind: AcceptanceCard$/m);
  },
  'the workbench opens beside the editor, once': async () => {
    await window.showTextDocument(await workspace.openTextDocument(card()));
    await commands.executeCommand('gpuAcceptance.openWorkbench');
    await commands.executeCommand('gpuAcceptance.openWorkbench');
    const pages = (): number => window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === 'GPU Acceptance Workbench').length;
    await until(() => pages() > 0, window.tabGroups.onDidChangeTabs);
    assert.equal(pages(), 1);
  },
  'the card in view is the one that is run, from the moment when its tab is there and when the workbench beside it is active': async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(cardInView(), undefined);
    const shown = window.showTextDocument(card(), { viewColumn: ViewColumn.One });
    await until(() => cardInView() !== undefined, window.tabGroups.onDidChangeTabs);
    assert.equal(cardInView()?.path, card().path);
    await shown;
    await commands.executeCommand('gpuAcceptance.openWorkbench');
    await commands.executeCommand('workbench.action.focusSecondEditorGroup');
    await until(() => window.activeTextEditor === undefined, window.onDidChangeActiveTextEditor);
    assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, 'GPU Acceptance Workbench');
    assert.equal(cardInView()?.path, card().path);
    await window.showTextDocument(Uri.joinPath(card(), '..', 'support-chat.brief.yaml'), { viewColumn: ViewColumn.One });
    assert.equal(cardInView(), undefined);
  },
  'the cards of the examples have no finding of severity error': async () => {
    await window.showTextDocument(await workspace.openTextDocument(card()));
    const found = languages.getDiagnostics(card()).filter(({ severity }) => severity === 0);
    assert.deepEqual(found.map(({ message }) => message), []);
  },
  'a card with a mistake gets a finding at its line': async () => {
    const document = await workspace.openTextDocument({ language: 'acceptance-card', content: 'kind: AcceptanceCard\nschemaVersion: 1\nname: 7\n' });
    await window.showTextDocument(document);
    const lines = (): number[] => languages.getDiagnostics(document.uri).map(({ range }) => range.start.line);
    await until(() => lines().includes(2), languages.onDidChangeDiagnostics);
    assert.ok(lines().includes(2), `findings at the lines ${lines().join(', ')}`);
  },
  'a complete and clean brief and card are written from empty files with completions and quick fixes alone': async () => {
    const beside = (name: string): Uri => Uri.joinPath(card(), '..', name);
    assert.deepEqual(await author(beside('invoice.brief.yaml'), BRIEF_SCRIPT), []);
    assert.deepEqual(await author(beside('invoice.acceptance.yaml'), CARD_SCRIPT), []);
    const [brief, written] = await Promise.all(['invoice.brief.yaml', 'invoice.acceptance.yaml'].map((name) => workspace.openTextDocument(beside(name))));
    assert.ok(brief!.lineCount > 80 && written!.lineCount > 80, `${brief!.lineCount} and ${written!.lineCount} lines`);
  },
};

export interface TestResult {
  name: string;
  /** Absent when it passed. */
  error?: string;
}

/** Called by the editor. Each result is one line of its console, for whoever started the editor. */
export async function run(): Promise<void> {
  for (const [name, test] of Object.entries(TESTS)) {
    const result: TestResult = { name };
    await test().catch((error: unknown) => (result.error = error instanceof Error ? (error.stack ?? error.message) : String(error)));
    console.log(`test-result ${JSON.stringify(result)}`);
  }
}
