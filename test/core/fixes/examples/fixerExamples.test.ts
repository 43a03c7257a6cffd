// Each example of docs/fixers.md, mended by a fix cycle on the real framework.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { askedProviders, nurseryProviders } from '../../../../src/core/fixes/providers.ts';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { hasGo } from '../../../support/hasGo.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { pythonWith } from '../../../support/python.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { exampleGroups, type ExampleGroup } from './fixerExamples.ts';

const isHere = ({ needs }: ExampleGroup): boolean =>
  needs === 'go' ? hasGo() : needs !== 'python' || pythonWith() !== undefined;

/** The report of a cycle that sees the sources of all examples change. */
async function mend({ files, packages, examples }: ExampleGroup): Promise<CycleReport> {
  const committed: Record<string, string> = { ...files };
  for (const { sources, test, files: more } of examples) {
    Object.assign(committed, more, { [test.file]: test.committed ?? test.before });
    for (const [file, [before]] of Object.entries(sources))
      if (before !== undefined) committed[file] = before;
  }
  const workspace = await temporaryWorkspace(committed, {
    git: true,
    ...(packages !== undefined && { packages }),
  });
  try {
    for (const { sources, test } of examples) {
      if (test.committed !== undefined) await workspace.write(test.file, test.before);
      for (const [file, [, now]] of Object.entries(sources)) {
        if (now === undefined) await rm(path.join(workspace.root, file));
        else await workspace.write(file, now);
      }
    }
    return await mendWorkspace(workspace, {
      providers: askedProviders(nurseryProviders.map(({ id }) => id)),
    });
  } finally {
    await workspace.dispose();
  }
}

for (const group of exampleGroups)
  describe(`the examples of the page about fixers, ${group.name}`, function () {
    this.timeout(150_000);
    let report: CycleReport;
    before(async function () {
      if (isHere(group)) report = await mend(group);
      else this.skip();
    });

    for (const { fixer, trust, test } of group.examples)
      it(`${fixer} makes of its test what the page shows, with trust "${trust}"`, () => {
        const made = report.fixes
          .filter(({ provider, verdict }) => provider === fixer && verdict?.verdict === 'verified')
          .flatMap((fix) =>
            fix.edits.filter(({ file }) => file === test.file).map((edit) => ({ fix, edit })),
          );
        const told = report.remaining.map(({ title, reason }) => `${title}: ${reason}`).join('\n');
        assert.ok(made.length > 0, told);
        assert.ok(
          made.some(({ edit, fix }) => applyEdit(edit, test.before) === test.after && fix.trust === trust),
          made.map(({ fix, edit }) => `${fix.trust}\n${applyEdit(edit, test.before)}`).join('\n'),
        );
      });
  });
