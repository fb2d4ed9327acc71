import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Comparison, compareRuns, NotComparableError, runLabels, showCell, showSpread } from '../core/evidence/compare';
import { renderComparison } from '../core/evidence/compare-report';
import { UsageError } from './exit';
import { fileError } from './files';

interface CompareFlags {
  format: string;
  to?: string;
}

export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .description('Put runs of the same card on several rentals side by side. Each is verified first.')
    .argument('<run...>', 'run folders or bundles')
    .option('--format <format>', 'text or json', 'text')
    .option('--to <file.html>', 'write an HTML page as well')
    .action(compareCommand);
}

async function compareCommand(paths: string[], { format, to }: CompareFlags): Promise<void> {
  if (format !== 'text' && format !== 'json') throw new UsageError('--format is text or json.');
  const comparison = await compareRuns(paths).catch((error: unknown) => {
    if (error instanceof NotComparableError) throw new UsageError(error.message);
    throw error;
  });
  if (to !== undefined) {
    await writeFile(to, renderComparison(comparison)).catch((error: unknown) => {
      throw fileError(`write ${to}`, error);
    });
    process.stderr.write(`Wrote ${to}\n`);
  }
  process.stdout.write(format === 'json' ? `${JSON.stringify(comparison)}\n` : showComparison(comparison));
}

const GAP = '  ';

/** The table of the terminal: a column for each run. */
export function showComparison({ cardName, runs, facts, criteria, notes }: Comparison): string {
  const rows = [
    ['CRITERION', 'EXPECTED', ...runLabels(runs), 'SPREAD'],
    ...criteria.map(({ id, level, expected, cells, spread }) => [level === 'advisory' ? `${id} (a)` : id, expected ?? 'differs', ...cells.map(showCell), showSpread(spread)]),
    ['VERDICT', '', ...runs.map(({ verdict, evidence }) => `${(verdict ?? 'no verdict').toUpperCase()}${evidence === 'verified' ? '' : ' (not made again)'}`), ''],
    ...facts.map(({ name, values }) => [name, '', ...values.map((value) => value ?? 'not said'), '']),
    ['Run', '', ...runs.map(({ runId }) => runId), ''],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const table = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join(GAP).trimEnd());
  return [cardName, '', ...table, ...(notes.length > 0 ? ['', ...notes.map((note) => `! ${note}`)] : []), ''].join('\n');
}
