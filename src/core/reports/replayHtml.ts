// A replay as one HTML page: self-contained, without scripts, readable by screen readers and on paper, in light and dark.
import type { CommitRecord, ReplayReport } from '../replay/replayReport.ts';
import { duration, plainText, plural } from './paint.ts';
import { headline, refusalsOf, scoreRows, skippedByReason, verdictOf } from './replaySummary.ts';

export function replayHtml(report: ReplayReport): string {
  const cases = report.commits.filter(({ state }) => state === 'case');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Testmend replay</title>
<style>${css}</style>
</head>
<body>
<main>
<h1>What Testmend would have done</h1>
<p class="lead">${escape(headline(report))}</p>
${cases.length === 0 ? '' : scoreTable(report)}
${categoryTable(report)}
${cases.length === 0 ? '' : `<h2>Commits that broke tests</h2>\n${cases.map(caseSection).join('\n')}`}
${skippedSection(report.commits)}
<h2>How to read it</h2>
<ul>
<li><b>Automatic</b> applies only what needs nobody’s consent; <b>source is right</b> also accepts changed expectations.</li>
<li><b>Sound</b>: the tests pass in three runs and nothing is newly red, only test files changed and the fix policy holds, and the mended tests are red on the old source${report.mutants ? ' and notice as many bugs laid into the changed lines as the author’s own (K2)' : ''}.</li>
<li><b>Correct</b>: sound, and at the same places as the author of the commit, up to layout, or with the same values.</li>
${report.notes.map((note) => `<li>${escape(note)}</li>`).join('\n')}
</ul>
<p class="quiet">${escape(report.root)} · ${duration(report.durationMs)}</p>
</main>
</body>
</html>
`;
}

function scoreTable({ totals }: ReplayReport): string {
  const rows = scoreRows.map(
    ({ name, of, nothing }) =>
      `<tr><th scope="row">${escape(name)}</th><td>${of(totals.automatic)}</td><td>${of(totals.sourceIsRight)}</td><td>${nothing(totals.cases)}</td></tr>`,
  );
  return `<table>
<caption>${plural(totals.cases, 'commit')} that broke tests</caption>
<thead><tr><td></td><th scope="col">automatic</th><th scope="col">source is right</th><th scope="col">doing nothing</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>`;
}

function categoryTable({ byCategory }: ReplayReport): string {
  const names = Object.entries(byCategory);
  if (names.length === 0) return '';
  const rows = names.map(([name, { cases, sourceIsRight: s, rightOutcome, skipped }]) => {
    const cells = [cases, s.correct, s.sound, s.passes, s.refused, s.partly, s.wrong, rightOutcome, skipped];
    return `<tr><th scope="row">${escape(name)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const columns = [
    'cases',
    'correct',
    'sound',
    'pass',
    'refused',
    'partly',
    'wrong',
    'right outcome',
    'skipped',
  ];
  return `<table>
<caption>By category, with the source taken as right</caption>
<thead><tr><td></td>${columns.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>`;
}

function caseSection(record: CommitRecord): string {
  const { commit, date, subject, broken, automatic, sourceIsRight, category, repository } = record;
  const where = [repository, category, date, plural(broken.length, 'broken test')].filter(
    (part) => part !== undefined,
  );
  const refused = refusalsOf(sourceIsRight);
  const patch = sourceIsRight?.patch ?? '';
  return `<section>
<h3><code>${escape(commit.slice(0, 8))}</code> ${escape(subject)}</h3>
<p class="quiet">${escape(where.join(' · '))}</p>
<dl>
<dt>Automatic</dt><dd${automatic?.wrong === true ? ' class="bad"' : ''}>${escape(verdictOf(automatic))}</dd>
<dt>Source is right</dt><dd>${escape(verdictOf(sourceIsRight))}</dd>
${refused.length === 0 ? '' : `<dt>Left as they are</dt><dd>${refused.map(escape).join('<br>')}</dd>`}
</dl>
<details><summary>${plural(broken.length, 'broken test')}${patch === '' ? '' : ' and the edit'}</summary>
<ul>${broken.map(({ file, title }) => `<li>${escape(file)}: ${escape(title)}</li>`).join('')}</ul>
${patch === '' ? '' : `<pre tabindex="0"><code>${escape(patch)}</code></pre>`}
</details>
</section>`;
}

function skippedSection(commits: readonly CommitRecord[]): string {
  const groups = [...skippedByReason(commits)];
  if (groups.length === 0) return '';
  const items = groups.map(([reason, records]) => {
    const names = records.map(({ commit }) => `<code>${escape(commit.slice(0, 8))}</code>`).join(', ');
    return `<li>${escape(reason)} <span class="quiet">${names}</span></li>`;
  });
  return `<h2>Commits that could not be replayed</h2>\n<ul>${items.join('\n')}</ul>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string =>
  plainText(text).replace(/[&<>"']/g, (found) => entities[found] ?? found);

const css = `
:root { color-scheme: light dark; --line: #767676; --quiet: #595959; --bad: #a1260d; }
@media (prefers-color-scheme: dark) { :root { --line: #8a8a8a; --quiet: #b4b4b4; --bad: #ff9a85; } }
body { margin: 0; padding: 24px 20px 64px; font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 62rem; margin: 0 auto; }
h1 { font-size: 1.55em; line-height: 1.25; margin: 0 0 12px; }
h2 { font-size: 1.15em; margin: 32px 0 8px; padding-bottom: 4px; border-bottom: 1px solid var(--line); }
h3 { font-size: 1em; margin: 20px 0 0; }
.lead { font-size: 1.1em; }
.quiet { color: var(--quiet); }
.bad { color: var(--bad); font-weight: 600; }
table { border-collapse: collapse; margin: 16px 0; }
caption { text-align: left; font-weight: 600; padding-bottom: 6px; }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; font-variant-numeric: tabular-nums; }
th[scope="row"] { text-align: left; }
thead th { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 6px 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; }
pre { overflow-x: auto; padding: 10px; border: 1px solid var(--line); }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } }
`;
