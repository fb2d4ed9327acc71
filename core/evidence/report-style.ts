/** The report's only style: readable on screen, on paper, in light and in dark. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e8eb); --paper: light-dark(#fff, #16191d); --quiet: light-dark(#5a6470, #9aa5b1); --line: light-dark(#d9dee3, #333a42);
  --good: light-dark(#0b6e3a, #4cc38a); --bad: light-dark(#b3261e, #ff8a80); --open: light-dark(#8a5300, #f0b35a); }
* { box-sizing: border-box; }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main { max-width: 1180px; margin: 0 auto; padding: 24px; }
header { border-bottom: 4px solid var(--open); } header.accepted { border-color: var(--good); } header.rejected { border-color: var(--bad); }
h1 { margin: 0; font-size: 32px; text-transform: capitalize; } h1.name { text-transform: none; } h2 { margin: 32px 0 8px; font-size: 18px; }
.kicker { margin: 0; color: var(--quiet); text-transform: uppercase; letter-spacing: .08em; font-size: 12px; }
.note { margin: 8px 0 0; color: var(--open); } .summary { margin: 8px 0 0; font-size: 16px; max-width: 80ch; }
section { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: 6px 10px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; } .facts th { width: 260px; font-weight: 600; color: var(--quiet); }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; } code { font: 12.5px/1.5 ui-monospace, monospace; } small { color: var(--quiet); }
.badge { white-space: nowrap; font-weight: 600; color: var(--open); } .badge.pass, .badge.measured, .badge.accepted { color: var(--good); } .badge.fail, .badge.failed, .badge.rejected { color: var(--bad); } .badge.not-run { color: var(--quiet); }
header.accepted .mark { color: var(--good); } header.rejected .mark { color: var(--bad); } header.inconclusive .mark { color: var(--open); }
ul { margin: 4px 0; padding-left: 18px; } figure { margin: 0; } svg { width: 100%; max-width: 760px; height: auto; } svg text { font-size: 11px; fill: var(--quiet); }
.series { fill: none; stroke: light-dark(#0b5cad, #6cb6ff); stroke-width: 2; } .s1 { stroke: light-dark(#8a5300, #f0b35a); stroke-dasharray: 8 3; } .s2 { stroke: light-dark(#6b3fa0, #c9a7f5); stroke-dasharray: 2 3; } .s3 { stroke: light-dark(#0b6e3a, #4cc38a); stroke-dasharray: 10 3 2 3; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 20px; color: var(--quiet); } .legend svg { width: 28px; height: 8px; } .threshold { stroke: var(--bad); stroke-dasharray: 5 4; } figcaption { color: var(--quiet); }
.matrix { width: auto; } .matrix td, .matrix th { padding: 3px 8px; text-align: center; font: 12px ui-monospace, monospace; }
@media print { header, main { max-width: none; padding: 0 0 12px; } tr { break-inside: avoid; } }
`;
