import { type CodeAction, CodeActionKind, type CodeActionParams, type TextEdit as LspEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextEdit } from '../../core/checks/contract';
import { fixAll } from '../../core/checks/fix-all';
import type { CheckedFinding } from '../../core/checks/run';
import { toDiagnostic } from '../diagnostics';
import { toOffsets, toRange } from '../position';
import { fileNameOf, type Session } from '../session';

export const FIX_ALL = `${CodeActionKind.SourceFixAll}.gpu-acceptance`;

/** Quick fixes of the findings under the selection, fix all, insert what is missing, and switching a finding off. */
export function codeActions(session: Session, document: TextDocument, { range, context }: CodeActionParams): CodeAction[] {
  const wants = (kind: string): boolean => context.only === undefined || context.only.some((only) => kind === only || kind.startsWith(`${only}.`));
  const { start, end } = toOffsets(document, range);
  const { findings } = session.report(document);
  const here = findings.filter((finding) => finding.range.start <= end && finding.range.end >= start);
  return [
    ...(wants(CodeActionKind.QuickFix) ? here.flatMap((finding) => fixesOf(finding, document)) : []),
    ...(wants(CodeActionKind.QuickFix) ? insertMissing(session, document, here) : []),
    ...(wants(CodeActionKind.QuickFix) ? here.map((finding) => disable(finding, document)) : []),
    ...(context.only !== undefined && wants(FIX_ALL) ? fixEverything(session, document) : []),
  ];
}

function fixesOf(finding: CheckedFinding, document: TextDocument): CodeAction[] {
  return (finding.fixes ?? []).map((fix, index) => ({
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [toDiagnostic(finding, document)],
    isPreferred: index === 0,
    edit: { changes: { [document.uri]: toLspEdits(document, fix.edits) } },
  }));
}

function insertMissing(session: Session, document: TextDocument, here: readonly CheckedFinding[]): CodeAction[] {
  const inserts = (finding: CheckedFinding): boolean => /^Insert /.test(finding.fixes?.[0]?.title ?? '');
  if (!here.some(inserts)) return [];
  const all = session.report(document).findings.filter(inserts);
  if (all.length < 2) return [];
  return wholeFile(document, `Insert everything that is missing (${all.length})`, CodeActionKind.QuickFix, fixText(session, document, (title) => title.startsWith('Insert ')));
}

function fixEverything(session: Session, document: TextDocument): CodeAction[] {
  return wholeFile(document, 'Fix everything that is safe to fix', FIX_ALL, fixText(session, document));
}

function fixText(session: Session, document: TextDocument, alsoTitles: (title: string) => boolean = () => false): string {
  const options = { files: session.files.providerFor(document.uri), fileName: fileNameOf(document), severity: session.severityOf(document.uri) };
  return fixAll(document.getText(), options, (fix) => fix.isSafe === true || alsoTitles(fix.title));
}

/** The part between the first and the last difference is replaced; the rest of the file is not touched. */
function wholeFile(document: TextDocument, title: string, kind: string, text: string): CodeAction[] {
  const old = document.getText();
  if (text === old) return [];
  let start = 0;
  while (start < old.length && old[start] === text[start]) start++;
  let behind = 0;
  while (behind < Math.min(old.length, text.length) - start && old.at(-1 - behind) === text.at(-1 - behind)) behind++;
  const edit = { start, end: old.length - behind, newText: text.slice(start, text.length - behind) };
  return [{ title, kind, edit: { changes: { [document.uri]: toLspEdits(document, [edit]) } } }];
}

/** The comment still needs a reason; a check asks for it. */
function disable(finding: CheckedFinding, document: TextDocument): CodeAction {
  const { line } = document.positionAt(finding.range.start);
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  const eol = document.getText().includes('\r\n') ? '\r\n' : '\n';
  const newText = `${/^[ ]*/.exec(text)![0]}# gpu-acceptance-disable-next-line ${finding.rule} ${eol}`;
  return {
    title: `Switch ${finding.rule} off for this line (needs a reason)`,
    kind: CodeActionKind.QuickFix,
    diagnostics: [toDiagnostic(finding, document)],
    edit: { changes: { [document.uri]: [{ range: { start: { line, character: 0 }, end: { line, character: 0 } }, newText }] } },
  };
}

const toLspEdits = (document: TextDocument, edits: readonly TextEdit[]): LspEdit[] => edits.map(({ start, end, newText }) => ({ range: toRange(document, { start, end }), newText }));
