// `npm run bench:healing -- --cases FILE [--half NAME] [--json]`: how often a lost element is found again, beside three baselines.
import { parseArgs } from 'node:util';
import { errorMessage } from '../../../src/core/base/humanError.ts';
import { decideHealing } from '../../../src/core/scenario/healing/decideHealing.ts';
import { rankCandidates } from '../../../src/core/scenario/healing/rankCandidates.ts';
import { absoluteXPath, plainSimilo, seedLadder, type Finder } from './baselines.ts';
import { readCases, type HealingCase } from './readCases.ts';
import { withoutTruth } from './withoutTruth.ts';

const usage = `npm run bench:healing -- --cases FILE [--half NAME] [--json]
  FILE  one JSON line a case: {"old": {…}, "candidates": [{…}], "truth": index or null}; the fields: docs/scenarios.md
  NAME  only cases with this "half"`;

const rankedFirst: Finder = (old, candidates) => rankCandidates(old, candidates)[0]?.index;
const healing =
  (assert: boolean): Finder =>
  (old, candidates) => {
    const decision = decideHealing(rankCandidates(old, candidates), { assert });
    return decision.verdict === 'heal' ? decision.index : undefined;
  };
const ways: Readonly<Record<string, Finder>> = {
  'Testmend, top 1': rankedFirst,
  'Testmend, healing an action': healing(false),
  'Testmend, healing an assertion': healing(true),
  'absolute XPath': absoluteXPath,
  'seed ladder': seedLadder,
  'plain Similo': plainSimilo,
};

interface Tally {
  right: number;
  wrong: number;
  abstained: number;
  /** Cases of the file without the element. */
  gone: number;
  goneHealed: number;
  /** Each case with the element once more, after taking it out. */
  removed: number;
  removedHealed: number;
}

function count(tally: Tally, find: Finder, one: HealingCase): void {
  const choice = find(one.old, one.candidates);
  if (one.truth === null) {
    tally.gone += 1;
    if (choice !== undefined) tally.goneHealed += 1;
    return;
  }
  if (choice === undefined) tally.abstained += 1;
  else if (choice === one.truth) tally.right += 1;
  else tally.wrong += 1;
  tally.removed += 1;
  if (find(one.old, withoutTruth(one.candidates, one.truth)) !== undefined) tally.removedHealed += 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string' },
      half: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.cases === undefined) {
    console.error(usage);
    return 2;
  }
  const tallies = new Map(
    Object.keys(ways).map((name): [string, Tally] => [
      name,
      { right: 0, wrong: 0, abstained: 0, gone: 0, goneHealed: 0, removed: 0, removedHealed: 0 },
    ]),
  );
  let cases = 0;
  for await (const one of readCases(values.cases)) {
    if (values.half !== undefined && one.half !== values.half) continue;
    cases += 1;
    for (const [name, tally] of tallies) count(tally, ways[name] ?? rankedFirst, one);
  }
  if (values.json) console.log(JSON.stringify({ cases, ways: Object.fromEntries(tallies) }, undefined, 2));
  else console.log(table(cases, tallies));
  return 0;
}

function table(cases: number, tallies: ReadonlyMap<string, Tally>): string {
  const share = (part: number, whole: number): string =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;
  const rows = [...tallies].map(([name, one]) => {
    const there = one.right + one.wrong + one.abstained;
    return [
      name,
      share(one.right, there),
      share(one.wrong, there),
      share(one.abstained, there),
      share(one.removedHealed, one.removed),
      share(one.goneHealed, one.gone),
    ];
  });
  const head = [
    'way',
    'right',
    'wrong',
    'abstained',
    'false heals, element taken out',
    'false heals, truth null',
  ];
  return [
    `${cases} cases`,
    '',
    ...[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(errorMessage(error));
  process.exitCode = 2;
}
