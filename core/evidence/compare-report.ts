import { type ComparedCell, type ComparedCriterion, type Comparison, runLabels, showSpread } from './compare';
import { escapeMarkup as text } from './markup';
import { staticPage } from './page';
import { badge } from './report-badge';
import { REPORT_STYLE } from './report-style';

/** One page without scripts or remote parts that puts the runs side by side. `style` is added for the place that shows it. */
export function renderComparison(comparison: Comparison, style = ''): string {
  const { cardName, runs, notes } = comparison;
  const labels = runLabels(runs);
  const heads = labels.map((label) => `<th scope="col">${text(label)}</th>`).join('');
  return staticPage(
    `${cardName}: ${runs.length} runs compared`,
    REPORT_STYLE + style,
    `<header>
<p class="kicker">GPU acceptance comparison</p>
<h1 class="name">${text(cardName)}</h1>
<p class="summary">${runs.length} runs side by side. Each was verified first: its numbers come from its raw output.</p>
${notes.map((note) => `<p class="note">${text(note)}</p>`).join('\n')}
</header>
<main>
<section><h2>Runs</h2><table><thead><tr><td></td>${heads}</tr></thead><tbody>${runRows(comparison)}</tbody></table></section>
<section><h2>Criteria</h2><table>
<thead><tr><th scope="col">Criterion</th><th scope="col">Expected</th>${heads}<th scope="col">Spread</th></tr></thead>
<tbody>${comparison.criteria.map(criterionRow).join('\n')}</tbody></table>
<p><small>Spread: (highest − lowest) ÷ highest of the measured values.</small></p></section>
</main>`,
  );
}

function runRows({ runs, facts }: Comparison): string {
  const rows: [name: string, cells: string[]][] = [
    ['Verdict', runs.map(({ verdict }) => badge(verdict ?? 'no verdict'))],
    ['Evidence', runs.map(({ evidence }) => text(evidence === 'verified' ? 'verified' : 'of another version: not made again'))],
    ['How it ended', runs.map(({ status }) => text(status))],
    ['Started (UTC)', runs.map(({ startedAt }) => text(startedAt ?? ''))],
    ['Run', runs.map(({ runId }) => `<code>${text(runId)}</code>`)],
    ...facts.map(({ name, values }): [string, string[]] => [name, values.map((value) => text(value ?? 'not said'))]),
  ];
  return rows.map(([name, cells]) => `<tr><th scope="row">${text(name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
}

function criterionRow({ id, stage, level, expected, cells, spread }: ComparedCriterion): string {
  const advisory = level === 'advisory' ? ' <small>advisory</small>' : '';
  return `<tr><th scope="row"><code>${text(id)}</code>${advisory}<br><small>${text(stage)}</small></th><td class="number">${text(expected ?? 'differs')}</td>${cells.map((cell) => criterionCell(cell, expected)).join('')}<td class="number">${showSpread(spread)}</td></tr>`;
}

function criterionCell(cell: ComparedCell | null, shared: string | undefined): string {
  if (!cell) return '<td>not in its card</td>';
  const { state, measured, reason, isWaived, expected } = cell;
  const own = shared === undefined ? ` <small>${text(expected)}</small>` : '';
  const explained = state === 'pass' ? '' : `<br><small>${text(reason)}</small>`;
  return `<td>${badge(state)}${isWaived ? ' <strong>waived</strong>' : ''} <span class="number">${text(measured ?? '')}</span>${own}${explained}</td>`;
}
