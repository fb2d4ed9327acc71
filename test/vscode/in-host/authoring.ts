import { strict as assert } from 'node:assert';
import { type CodeAction, commands, type CompletionItem, type CompletionList, type Diagnostic, languages, Range, Selection, SnippetString, type TextEditor, type Uri, window, workspace } from 'vscode';
import type { AuthoringStep } from './authoring-script';
import { emptyValueAt, placeFor } from './place';
import { until } from './until';

const BLAMED = 1;

/** Writes a new file by the steps alone, saves it, and returns what the checks still blame (errors and warnings). */
export async function author(uri: Uri, script: readonly AuthoringStep[]): Promise<string[]> {
  await workspace.fs.writeFile(uri, new Uint8Array());
  const editor = await window.showTextDocument(await workspace.openTextDocument(uri));
  for (const step of script) {
    if ('fix' in step) await takeFix(editor, step.of, step.fix);
    else if (!('choose' in step)) await typeInto(editor, step.fill, step.type);
    else await choose(editor, 'fill' in step ? fillOffset(editor, step.fill) : await newLine(editor, step.in), step.choose, step.type);
  }
  await editor.document.save();
  await until(() => blamed(uri).length === 0, languages.onDidChangeDiagnostics);
  return blamed(uri);
}

const blamed = (uri: Uri): string[] => languages.getDiagnostics(uri).filter(({ severity }) => severity <= BLAMED).map(({ message }) => message);
const fillOffset = (editor: TextEditor, path: string): number => emptyValueAt(editor.document.getText(), path);

function placeCursor(editor: TextEditor, offset: number): void {
  const position = editor.document.positionAt(offset);
  editor.selection = new Selection(position, position);
}

async function newLine(editor: TextEditor, section: string | undefined): Promise<number> {
  const { offset, before } = placeFor(editor.document.getText(), section);
  await editor.edit((builder) => builder.insert(editor.document.positionAt(offset), before));
  return offset + before.length;
}

async function typeInto(editor: TextEditor, path: string, text: string): Promise<void> {
  placeCursor(editor, fillOffset(editor, path));
  await commands.executeCommand('type', { text });
}

async function choose(editor: TextEditor, offset: number, label: string, typed: readonly (string | undefined)[] = []): Promise<void> {
  placeCursor(editor, offset);
  const { document } = editor;
  const list = await commands.executeCommand<CompletionList>('vscode.executeCompletionItemProvider', document.uri, document.positionAt(offset));
  const item = list.items.find((candidate) => labelOf(candidate) === label && candidate.range !== undefined);
  assert.ok(item, `"${label}" is offered; there is ${list.items.map(labelOf).join(', ')} in\n${document.getText()}`);
  const range = item.range instanceof Range ? item.range : item.range!.replacing;
  const snippet = item.insertText instanceof SnippetString ? item.insertText : new SnippetString().appendText(item.insertText ?? label);
  await editor.insertSnippet(snippet, range, { undoStopBefore: true, undoStopAfter: true, keepWhitespace: item.keepWhitespace ?? false });
  for (const text of typed) {
    if (text !== undefined) await commands.executeCommand('type', { text });
    await commands.executeCommand('jumpToNextSnippetPlaceholder');
  }
  await commands.executeCommand('leaveSnippet');
}

const labelOf = ({ label }: CompletionItem): string => (typeof label === 'string' ? label : label.label);

async function takeFix(editor: TextEditor, code: string, title: string): Promise<void> {
  const { uri } = editor.document;
  const find = (): Diagnostic | undefined => languages.getDiagnostics(uri).find((diagnostic) => codeOf(diagnostic) === code);
  await until(() => find() !== undefined, languages.onDidChangeDiagnostics);
  const found = find();
  assert.ok(found, `there is a finding ${code} in\n${editor.document.getText()}`);
  const actions = await commands.executeCommand<CodeAction[]>('vscode.executeCodeActionProvider', uri, found.range, 'quickfix');
  const fix = actions.find((action) => action.title === title);
  assert.ok(fix?.edit, `"${title}" is offered for ${code}; there is ${actions.map((action) => action.title).join(', ')}`);
  assert.ok(await workspace.applyEdit(fix.edit));
}

const codeOf = ({ code }: Diagnostic): unknown => (typeof code === 'object' ? code.value : code);
