import type { InlayHint, Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { CheckContext } from '../../core/checks/contract';
import { shareOfCeiling } from '../../core/checks/ceiling-share';
import { memoryNeedText } from '../../core/checks/memory-need';
import { costPerCompletedWork } from '../../core/cost/per-work';
import type { Path } from '../../core/document/source';
import type { Session } from '../session';
import { contextsOf } from './context';

/** Sums and shares that a reader would otherwise compute by hand. */
export function inlayHints(session: Session, document: TextDocument, { start, end }: Range): InlayHint[] {
  return contextsOf(session, document)
    .flatMap((context) => [...memoryHints(context, document), ...costHints(context, document), ...ceilingHints(context, document)])
    .filter(({ position }) => position.line >= start.line && position.line <= end.line);
}

function memoryHints(context: CheckContext, document: TextDocument): InlayHint[] {
  const need = context.subject === 'brief' ? memoryNeedText(context.brief) : undefined;
  if (need === undefined) return [];
  return [behindLine(context, document, ['memoryShape'], `= ${need}`, 'Weights, KV cache, optimiser state, gradients, activations and headroom together.')];
}

function costHints(context: CheckContext, document: TextDocument): InlayHint[] {
  const cost = context.subject === 'card' ? context.card?.cost : context.brief?.cost;
  const { total, currency = '', perCompletedWork, completedWork, obstacles } = costPerCompletedWork(cost ?? {});
  // A line without its amount would make the sum too small.
  if (obstacles.includes('no-components') || obstacles.includes('unpriced-line')) return [];
  const perWork = perCompletedWork === undefined ? '' : `, ${Number(perCompletedWork.toPrecision(3))} per ${completedWork}`;
  return [behindLine(context, document, ['cost', 'components'], `${`= ${total.toFixed(2)} ${currency}`.trimEnd()}${perWork}`, 'Sum of the billed components, and what one accepted piece of work costs.')];
}

function ceilingHints(context: CheckContext, document: TextDocument): InlayHint[] {
  if (context.subject !== 'card' || !context.profile) return [];
  return Object.entries(context.card?.stages ?? {}).flatMap(([stage, content]) =>
    (content?.criteria ?? []).flatMap((criterion, index) => {
      const share = shareOfCeiling(criterion, context.profile);
      if (!share) return [];
      const path: Path = ['stages', stage, 'criteria', index, 'value'];
      return [behindLine(context, document, path, `${Math.round(share.share * 100)} % of ${share.ceiling}`, `Ceiling of ${context.profile!.name}: ${share.source}`)];
    }),
  );
}

/** At the end of the line, before a comment would begin, so that no text moves. */
function behindLine({ document: tree }: CheckContext, document: TextDocument, path: Path, label: string, tooltip: string): InlayHint {
  const key = tree.keyRange(path);
  const value = tree.valueRange(path);
  const isOneLine = document.positionAt(value.end).line === document.positionAt(key.start).line;
  const { line, character } = document.positionAt(isOneLine ? value.end : key.end);
  return { position: { line, character: character + (isOneLine ? 0 : 1) }, label, tooltip, paddingLeft: true };
}
