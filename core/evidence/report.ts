import type { Measurement } from '../probes/contract';
import { occupancySentence } from '../probes/host-capabilities';
import type { CriterionVerdict } from '../verdict/contract';
import { escapeMarkup as text } from './markup';
import { bandwidthChart, topologyTable } from './report-figures';
import { staticPage } from './page';
import { badge, STATE_MARKS } from './report-badge';
import { REPORT_STYLE } from './report-style';
import type { ProbeSummary, RunSummary } from './run-summary';

export interface StoredMeasurement extends Measurement {
  probeRun: string;
}

/** The report of a run as one page of its own. */
export function renderReport(run: RunSummary, measurements: readonly StoredMeasurement[]): string {
  const state = run.verdict?.state ?? 'inconclusive';
  return staticPage(
    `${run.cardName} on ${run.target}: ${state}`,
    REPORT_STYLE,
    `<header class="${state}">
<p class="kicker">GPU acceptance report</p>
<h1><span class="mark" aria-hidden="true">${STATE_MARKS[state]}</span> ${text(state)}</h1>
<p class="summary">${text(run.verdict?.summary ?? 'The run ended without a verdict, so nothing is accepted.')}</p>
</header>
<main>
${facts(run)}
${criteriaSection(run.verdict?.criteria ?? [])}
${bandwidthChart(measurements, run.verdict?.criteria ?? [])}
${topologyTable(measurements)}
${probesSection(run.probes)}
${gapsSection(run)}
${limits()}
</main>`,
  );
}

function facts(run: RunSummary): string {
  const rows: [string, string | undefined][] = [
    ['Card', run.cardName],
    ['Target', run.target],
    ['Run', run.runId],
    ['Started (UTC)', run.startedAt],
    ['Ended (UTC)', run.endedAt],
    ['How it ended', run.message === undefined ? run.status : `${run.status}: ${run.message}`],
    ['Duration', `${(run.durationMs / 1000).toFixed(1)} s`],
    ['GPUs in use', run.capabilities && occupancySentence(run.capabilities)],
    ['Driver', run.capabilities?.driverVersion],
    ['DCGM', run.capabilities?.dcgmVersion],
    ['Host key', run.hostKeyFingerprint],
    ['Card SHA-256', run.card?.sha256],
    ['Brief SHA-256', run.brief?.sha256],
    ['Plan SHA-256, locked before the first probe', run.planSha256],
    ['Program', `gpu-acceptance ${run.toolVersion}`],
  ];
  const present = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
  return `<section><h2>Run</h2><table class="facts">${present.map(([name, value]) => `<tr><th scope="row">${text(name)}</th><td>${text(value)}</td></tr>`).join('')}</table></section>`;
}

function criteriaSection(criteria: readonly CriterionVerdict[]): string {
  if (criteria.length === 0) return '<section><h2>Verdict</h2><p>No criterion was judged.</p></section>';
  const rows = criteria.map(criterionRow).join('\n');
  return `<section><h2>Verdict</h2><table>
<thead><tr><th scope="col">State</th><th scope="col">Criterion</th><th scope="col">Stage</th><th scope="col">Expected</th><th scope="col">Measured</th><th scope="col">Samples</th><th scope="col">Reason and evidence</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

function criterionRow(criterion: CriterionVerdict): string {
  const { id, stage, state, level, expected, measured, samples, reason, description, waiver, evidence } = criterion;
  const first = evidence[0];
  const place = first ? `<br><code>raw/${text(first.probeRun)}/stdout${first.line === undefined ? '' : `:${first.line}`}</code>` : '';
  const waived = waiver ? `<br><strong>Waived</strong> by ${text(waiver.by)} on ${text(waiver.date)}: ${text(waiver.reason)}` : '';
  const about = description ? `<br><small>${text(description)}</small>` : '';
  return `<tr class="${state}"><td>${badge(state)}</td><td><code>${text(id)}</code>${level === 'advisory' ? ' <small>advisory</small>' : ''}${about}</td><td>${text(stage)}</td><td class="number">${text(expected)}</td><td class="number">${text(measured ?? '')}</td><td class="number">${samples ?? ''}</td><td>${text(reason)}${waived}${place}</td></tr>`;
}

function probesSection(probes: readonly ProbeSummary[]): string {
  const rows = probes.map((probe) => {
    const command = probe.command ? `<code>${text(probe.command.join(' '))}</code>` : probe.from ? `reads the output of ${text(probe.from)}` : '';
    const reasons = probe.reasons.map((reason) => `<li>${text(reason.severity)}: ${text(reason.message)} <small><code>${text(reason.code)}</code></small></li>`).join('');
    const duration = probe.durationMs === undefined ? '' : `${(probe.durationMs / 1000).toFixed(1)} s`;
    const left = probe.remoteProcesses === 'left' || probe.remoteProcesses === 'unknown' ? `<li>Processes on the machine after the end: ${text(probe.remoteProcesses)}.</li>` : '';
    const hidden = probe.redactions > 0 ? `<li>${probe.redactions} secrets were replaced before the output was written.</li>` : '';
    return `<tr><td>${badge(probe.state)}</td><td><code>${text(probe.entry)}</code>${probe.entry === probe.probe ? '' : `<br><small>${text(probe.probe)}</small>`}</td><td>${text(probe.stage)}</td><td class="number">${duration}</td><td>${probe.exitCode ?? ''}</td><td>${command}<ul>${reasons}${left}${hidden}</ul></td></tr>`;
  });
  return `<section><h2>Probes</h2><table><thead><tr><th scope="col">Outcome</th><th scope="col">Probe</th><th scope="col">Stage</th><th scope="col">Duration</th><th scope="col">Exit code</th><th scope="col">Command and reasons</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></section>`;
}

function gapsSection(run: RunSummary): string {
  const gaps = run.provability.filter(({ provable }) => !provable);
  if (gaps.length === 0) return '';
  const items = gaps.map(({ entry, reason }) => `<li><code>${text(entry)}</code>: ${text(reason?.message ?? 'no reason was given')}</li>`);
  return `<section><h2>What could not be proved on this machine</h2><ul>${items.join('')}</ul></section>`;
}

function limits(): string {
  return `<section><h2>What this report does not prove</h2><ul>
<li>That the hardware is what it says: the tools of the machine were believed.</li>
<li>Anything after this run: a pass is evidence of one run, not a promise.</li>
<li>Who ran it: times are by the clock of the computer that ran the card, and nobody else has signed.</li>
</ul></section>`;
}
