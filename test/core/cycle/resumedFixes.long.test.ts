// A cycle takes up one that was killed: what was decided holds, and nothing is taken for granted that was proven then.
import assert from 'node:assert/strict';
import type { CycleRequest, Decision } from '../../../src/core/cycle/cycleRequest.ts';
import type { FormerCycle, RecordedFix } from '../../../src/core/cycle/formerCycle.ts';
import type { FixProvider } from '../../../src/core/fixes/fixProvider.ts';
import { askedProviders } from '../../../src/core/fixes/providers.ts';
import type { CycleFix, CycleReport } from '../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const testOf = (name: string, expected: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n\ntest('says ${name}', () => {\n  assert.equal(${name}('Ada'), '${expected}, Ada');\n});\n`;
const source = (name: string, word: string): string =>
  `export const ${name} = (who) => \`${word}, \${who}\`;\n`;

describe('a cycle that takes up another one', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
        'src/hello.js': source('hello', 'Hello'),
        'src/bye.js': source('bye', 'Bye'),
        'tests/hello.test.js': testOf('hello', 'Hello'),
        'tests/bye.test.js': testOf('bye', 'Bye'),
      },
      { git: true },
    );
    await workspace.write('src/hello.js', source('hello', 'Good morning'));
    await workspace.write('src/bye.js', source('bye', 'Good night'));
  });
  afterEach(() => workspace.dispose());

  /** The cycle that is killed: its fixes as it would have recorded them, with what was said about each. */
  const former = async (said: (fix: CycleFix) => Decision | undefined): Promise<FormerCycle> => {
    const { fixes } = await mendWorkspace(workspace);
    assert.equal(fixes.filter(({ state }) => state === 'unreviewed').length, 2);
    return {
      startedAt: 0,
      iterations: 1,
      asked: { preset: 'tester', assume: 'ask', strategy: 'auto', maxIterations: 10, targetPassRate: 100 },
      fixes: fixes.map((fix): RecordedFix => {
        const decision = said(fix);
        return { fix, ...(decision !== undefined && { said: decision }) };
      }),
    };
  };
  const isHello = (fix: CycleFix): boolean => fix.failures.some((id) => id.includes('hello'));

  /** Takes it up; tells the titles that a person was asked about, who then accepts. */
  const takeUp = async (
    resume: FormerCycle,
    more: Partial<CycleRequest> = {},
  ): Promise<{ readonly report: CycleReport; readonly asked: readonly string[] }> => {
    const asked: string[] = [];
    const accept = async ({ title }: CycleFix): Promise<Decision> => {
      asked.push(title);
      return 'accept';
    };
    return { report: await mendWorkspace(workspace, { resume, accept, ...more }), asked };
  };

  it('holds what was accepted for accepted, and asks about the rest', async () => {
    const { report, asked } = await takeUp(await former((fix) => (isHello(fix) ? 'accept' : undefined)));
    assert.deepEqual(asked.length, 1);
    assert.match(asked[0] ?? '', /Good night/);
    assert.deepEqual(
      report.fixes.map(({ state }) => state),
      ['accepted', 'accepted'],
    );
    assert.equal(report.status, 'passed');
    assert.ok(report.notes.includes('Resumed: 2 of 2 fixes proven again.'), report.notes.join('\n'));
    assert.equal(report.iterations[0]?.iteration, 2);
  });

  it('asks again where the accepted change is another one now', async () => {
    const resume = await former((fix) => (isHello(fix) ? 'accept' : undefined));
    await workspace.write('src/hello.js', source('hello', 'Good evening'));
    const { report, asked } = await takeUp(resume);
    assert.equal(asked.length, 2);
    assert.ok(asked.some((title) => title.includes('Good evening')));
    assert.ok(report.notes.includes('Resumed: 1 of 2 fixes proven again.'), report.notes.join('\n'));
    assert.ok(report.notes.some((note) => note.startsWith('Not resumed: ')));
    assert.doesNotMatch(report.patch, /Good morning/);
  });

  it('says of what it had no time for that it was not tried', async () => {
    const resume = await former(() => undefined);
    const { report } = await takeUp(resume, { budget: { processes: 1 } });
    assert.deepEqual(report.fixes, []);
    assert.deepEqual(report.takenUp, {
      startedAt: '1970-01-01T00:00:00.000Z',
      iterations: 1,
      fixes: 2,
      proven: 0,
      dropped: resume.fixes.map(({ fix: { title } }) => ({
        title,
        reason: 'the cycle ended before it was tried.',
      })),
    });
  });

  it('leaves alone what was declined, and what was called a bug', async () => {
    const { report, asked } = await takeUp(await former((fix) => (isHello(fix) ? 'skip' : 'bug')));
    assert.deepEqual(asked, []);
    assert.equal(report.patch, '');
    assert.deepEqual(
      report.remaining.map(({ id, fault }) => [id.includes('bye'), fault === 'source']),
      [
        [true, true],
        [false, false],
      ],
    );
  });

  it('asks nobody outside for what was proven, and has one iteration left at the least', async () => {
    const seen: string[] = [];
    const outside: FixProvider = {
      id: 'outside',
      description: 'Asks somebody.',
      spent: () => ({ author: 'model', requests: 0, inputTokens: 0, outputTokens: 0 }),
      propose: async ({ failing, proposed = [] }) => {
        const mended = new Set(proposed.flatMap(({ failures }) => failures));
        for (const { result } of failing) if (!mended.has(result.id)) seen.push(result.id);
        return [];
      },
    };
    const resume = { ...(await former(() => 'accept')), iterations: 10 };
    const { report } = await takeUp(resume, { providers: [...askedProviders(), outside] });
    assert.deepEqual(seen, []);
    assert.equal(report.status, 'passed');
    assert.deepEqual(
      report.iterations.map(({ iteration }) => iteration),
      [10],
    );
  });

  it('lets nothing through that the gate refuses, whatever the record says', async () => {
    const resume = await former(() => 'accept');
    const weakened = resume.fixes.map(({ fix, said }): RecordedFix => ({
      fix: {
        ...fix,
        edits: fix.edits.map((edit) => ({
          ...edit,
          changes: [{ start: 0, end: 0, newText: '// @ts-nocheck\n' }],
        })),
      },
      ...(said !== undefined && { said }),
    }));
    const { report, asked } = await takeUp({ ...resume, fixes: weakened });
    assert.equal(asked.length, 2);
    assert.doesNotMatch(report.patch, /ts-nocheck/);
    assert.ok(report.notes.includes('Resumed: 0 of 2 fixes proven again.'), report.notes.join('\n'));
  });
});
