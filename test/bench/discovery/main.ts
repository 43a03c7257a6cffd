// `npm run bench:discovery -- --clones DIR [--only PART]…`: what discovery finds in real projects against what their runners list.
import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { errorMessage } from '../../../src/core/base/humanError.ts';
import { figuresOf } from './compare.ts';
import { measureProject } from './measure.ts';
import { projects } from './projects.ts';
import { figureTable, missList, type Row } from './tables.ts';

const usage = `npm run bench:discovery -- --clones DIR [--only PART]… [--misses]
  DIR       clones in DIR/<owner>/<name>, with what their tests need installed
  PART      only projects whose folder holds this text
  --misses  lists each test that is missing, extra or made, with its place and the reason`;
/** Of what is written in the text, tests and templates, at least so much is to be found. */
const target = 0.99;

const { values } = parseArgs({
  options: {
    clones: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    misses: { type: 'boolean', default: false },
  },
});
if (values.clones === undefined) {
  console.error(usage);
  process.exit(2);
}

const clones = path.resolve(values.clones);
const rows: Row[] = [];
let failed = false;
for (const project of (await foldersOf(clones)).filter((one) =>
  values.only.every((part) => one.includes(part)),
)) {
  const folder = path.join(clones, project);
  const known = projects.find((one) => one.folder === project) ?? {};
  try {
    const commit = (
      await promisify(execFile)('git', ['-C', folder, 'rev-parse', '--short=8', 'HEAD'])
    ).stdout.trim();
    for (const measured of await measureProject(folder, known)) {
      const row = { project, commit, ...measured };
      rows.push(row);
      if (values.misses) console.log(missList(row));
      console.error(figureTable([row]).split('\n').at(-1));
    }
  } catch (error) {
    failed = true;
    console.error(`${project}: ${errorMessage(error)}`);
  }
}
console.log(figureTable(rows));
const missed = rows.filter(({ comparison }) => !(figuresOf(comparison).recall >= target));
for (const { project } of missed) console.log(`${project} is below the target of ${target * 100} %.`);
process.exitCode = failed || missed.length > 0 || rows.length === 0 ? 1 : 0;

/** `owner/name` of each clone. */
async function foldersOf(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const owner of await readdir(root))
    for (const name of await readdir(path.join(root, owner)).catch(() => []))
      if (await stat(path.join(root, owner, name, '.git')).catch(() => undefined))
        found.push(`${owner}/${name}`);
  return found.sort();
}
