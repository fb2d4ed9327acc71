import { strict as assert } from 'node:assert';
import { commands, type Event, extensions, languages, Uri, window, workspace } from 'vscode';

const EXTENSION = 'gpu-acceptance.gpu-acceptance';

interface Manifest {
  contributes: { commands: { command: string }[]; configuration: { properties: Record<string, { default: unknown }> } };
}

const extension = () => extensions.getExtension<unknown>(EXTENSION)!;
const manifest = (): Manifest => extension().packageJSON as Manifest;
const card = (): Uri => Uri.joinPath(workspace.workspaceFolders![0]!.uri, 'inference', 'support-chat.acceptance.yaml');

const UNTIL_TIMEOUT_MS = 15_000;

/** Looks again at each event until the condition holds, or the time is over: the caller asserts what it needs. */
function until(condition: () => boolean, event: Event<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const look = (): void => (condition() ? finish() : undefined);
    const listener = event(look);
    const timer = setTimeout(finish, UNTIL_TIMEOUT_MS);
    look();
  });
}

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
