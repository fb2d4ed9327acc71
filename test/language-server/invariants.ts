import { Lexer, parseAllDocuments } from 'yaml';
import { applyEdits } from '../../core/checks/edits';
import { filesFromMap } from '../../core/checks/files';
import { type CheckReport, checkFile } from '../../core/checks/run';
import { complete } from '../../server/completion/complete';
import { documentSymbols } from '../../server/features/document-symbols';
import { foldingRanges } from '../../server/features/folding';
import { hover } from '../../server/features/hover';
import { inlayHints } from '../../server/features/inlay-hints';
import { openDocument } from '../../server/testing';

/** What must hold for any text whatever. Each function throws with the text's own words when it does not. */

export interface Subject {
  text: string;
  fileName: string;
}

export function checkHolds({ text, fileName }: Subject): CheckReport {
  const report = checkFile(text, { fileName, files: filesFromMap({}), today: '2026-12-01' });
  const [broken] = report.failures;
  if (broken) throw new Error(`The rule ${broken.rule} threw: ${String((broken.error as Error).stack)}`);
  for (const { rule, range, related = [] } of report.findings) {
    for (const { start, end } of [range, ...related.filter(({ file }) => file === undefined).map((place) => place.range)]) {
      if (!(start >= 0 && start <= end && end <= text.length)) throw new Error(`${rule} points outside the document: ${start}…${end} of ${text.length}`);
    }
  }
  return report;
}

/** Every fix leaves valid YAML valid and keeps every comment. */
export function fixesHold({ text }: Subject, report: CheckReport): void {
  const errors = syntaxErrors(text);
  const comments = commentsOf(text);
  for (const { rule, fixes = [] } of report.findings) {
    for (const { title, edits } of fixes) {
      const fixed = applyEdits(text, edits);
      if (syntaxErrors(fixed) > errors) throw new Error(`${rule}: "${title}" breaks the YAML:\n${fixed}`);
      if (errors > 0) continue;
      const left = commentsOf(fixed);
      const lost = comments.find((comment) => !left.includes(comment));
      if (lost !== undefined) throw new Error(`${rule}: "${title}" loses the comment ${lost}:\n${fixed}`);
    }
  }
}

export function editorHolds({ text, fileName }: Subject, offset: number): void {
  const { session, document } = openDocument(text, { languageId: /\.brief\./.test(fileName) ? 'workload-brief' : 'acceptance-card' });
  const completion = complete(session, document, offset);
  for (const { label, textEdit } of Array.isArray(completion) ? completion : completion.items) {
    const range = textEdit && 'range' in textEdit ? textEdit.range : undefined;
    if (!range) throw new Error(`The completion ${label} has no range.`);
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    if (!(start <= offset && end >= offset)) throw new Error(`The completion ${label} does not touch the cursor: ${start}…${end}, cursor ${offset}`);
    if (range.start.line !== range.end.line) throw new Error(`The completion ${label} replaces several lines.`);
  }
  hover(session, document, offset);
  documentSymbols(session, document);
  foldingRanges(session, document);
  inlayHints(session, document, { start: { line: 0, character: 0 }, end: { line: 1e6, character: 0 } });
}

const syntaxErrors = (text: string): number => {
  const documents = parseAllDocuments(text, { merge: true, uniqueKeys: false, prettyErrors: false });
  return Array.isArray(documents) ? documents.reduce((sum, { errors }) => sum + errors.length, 0) : 0;
};

const commentsOf = (text: string): string[] => [...new Lexer().lex(text)].filter((token) => token.startsWith('#'));
