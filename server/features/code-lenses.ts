import type { CodeLens, Command } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { CheckContext } from '../../core/checks/contract';
import { readinessOf } from '../../core/checks/readiness';
import type { Path } from '../../core/document/source';
import { LAST_VERDICT, type LastVerdict, type LastVerdictParams, LENS_COMMANDS } from '../../core/messages/language-server';
import { toRange } from '../position';
import type { Session } from '../session';
import { contextsOf } from './context';

/** A client that does not answer must not hold the lenses back. */
const VERDICT_TIMEOUT_MS = 1000;

/** Run card, run stage, readiness, and the verdict of the last run. */
export async function codeLenses(session: Session, document: TextDocument): Promise<CodeLens[]> {
  const cards = contextsOf(session, document).filter(({ subject }) => subject === 'card');
  if (cards.length === 0) return [];
  const verdict = await lastVerdict(session, document.uri);
  return cards.flatMap((context) => [
    ...cardLenses(context, document, verdict),
    ...Object.keys(context.card?.stages ?? {}).map((stage) =>
      lens(context, document, ['stages', stage], { title: '$(run-all) Run stage', command: LENS_COMMANDS.runStage, arguments: [document.uri, stage] }),
    ),
  ]);
}

function cardLenses(context: CheckContext, document: TextDocument, verdict: LastVerdict): CodeLens[] {
  const states = readinessOf(context.card!, context.brief);
  const met = states.filter(({ missing }) => missing.length === 0).length;
  const tooltip = states.map(({ title, missing }) => `${missing.length === 0 ? '✓' : '✗'} ${title}${missing.length > 0 ? `: ${missing.join(', ')}` : ''}`).join('\n');
  const at = (command: Command): CodeLens => lens(context, document, [], command);
  return [
    at({ title: '$(play) Run card', command: LENS_COMMANDS.runCard, arguments: [document.uri] }),
    at({ title: `Readiness ${met}/${states.length}`, tooltip, command: LENS_COMMANDS.openWorkbench, arguments: [document.uri] }),
    ...(verdict?.verdict ? [at({ title: `Last run on ${verdict.target}: ${verdict.verdict}`, tooltip: verdict.startedAt, command: LENS_COMMANDS.openWorkbench, arguments: [document.uri] })] : []),
  ];
}

const lens = ({ document: tree }: CheckContext, document: TextDocument, path: Path, command: Command): CodeLens => ({
  range: toRange(document, tree.keyRange(path)),
  command,
});

async function lastVerdict(session: Session, uri: string): Promise<LastVerdict> {
  const params: LastVerdictParams = { uri };
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), VERDICT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([session.connection.sendRequest<LastVerdict>(LAST_VERDICT, params), silence]);
  } catch {
    // Other editors do not know the request.
    return null;
  } finally {
    clearTimeout(timer);
  }
}
