import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileReporter } from '../../../src/core/reports/fileReporter.ts';
import { jsonReport } from '../../../src/core/reports/jsonReporter.ts';
import { junitXml } from '../../../src/core/reports/junitReporter.ts';
import { failure, result, summary } from './results.ts';

/** Throws unless the text is a well-formed XML 1.0 document; returns its start tags. */
function parseXml(text: string): string[] {
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u);
  const open: string[] = [];
  const seen: string[] = [];
  const rest = text
    .replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
    .replace(
      /<(\/?)([a-z]+)((?: [a-z]+="(?:[^<&"]|&(?:amp|lt|gt|quot|#\d+);)*")*)(\/?)>/g,
      (_, close: string, name: string, attributes: string, empty: string) => {
        if (close) assert.equal(open.pop(), name);
        else {
          seen.push(name + attributes);
          if (!empty) open.push(name);
        }
        return '';
      },
    );
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<]|&(?!(?:amp|lt|gt|quot|#\d+);)/);
  return seen;
}

const hostile = 'a < b & "c" ]]> \u0000\u001b[31m\u0008 \ud800 \uffff \n\tü 🙂 \u2028';

describe('junit.xml', () => {
  it('is well-formed whatever the tests are called and say', () => {
    const tags = parseXml(
      junitXml(
        summary([
          result({
            title: hostile,
            file: `test/${hostile}.ts`,
            failure: failure({ message: hostile, expected: hostile, actual: hostile }),
          }),
        ]),
      ),
    );
    assert.equal(tags.length, 4);
  });

  it('counts failures, errors and skips per file and in all', () => {
    const tags = parseXml(
      junitXml(
        summary([
          result({ failure: failure() }),
          result({ title: 'b', outcome: 'errored', failure: failure({ kind: 'load' }) }),
          result({ title: 'c', outcome: 'skipped', file: 'other.test.ts' }),
        ]),
      ),
    );
    assert.equal(
      tags[0],
      'testsuites name="testmend" tests="3" failures="1" errors="1" skipped="1" time="1.234"',
    );
    assert.equal(
      tags[1],
      'testsuite name="test/cart.test.ts" tests="2" failures="1" errors="1" skipped="0" time="0.008"',
    );
    assert.ok(tags.some((tag) => tag.startsWith('error message="expected 1 to be 2" type="load"')));
  });
});

describe('report.json', () => {
  it('has one shape for every framework, with errored tests counted as failed', () => {
    const report = jsonReport(
      summary([
        result(),
        result({
          title: 'b',
          outcome: 'errored',
          failure: failure({ message: 'password=hunter2 is wrong' }),
        }),
      ]),
      new Set(['vitest:test/cart.test.ts#b']),
    );
    assert.deepEqual(report.summary, { total: 2, passed: 1, failed: 1, skipped: 0, flaky_in_run: 1 });
    assert.equal(report.duration, 1.234);
    assert.deepEqual(report.tests[0], {
      nodeid: 'vitest:test/cart.test.ts#adds',
      outcome: 'passed',
      message: '',
      duration: 0.004,
      call: { duration: 0.004, longrepr: '' },
    });
    assert.equal(report.tests[1]?.outcome, 'failed');
    assert.equal(report.tests[1]?.message, 'password=[redacted] is wrong');
    assert.equal(report.tests[1]?.was_flaky_in_run, true);
    assert.doesNotMatch(report.tests[1]?.call.longrepr ?? '', /hunter2/);
  });

  it('has no secret that only the file of the test gives away, and not what was compared with it', async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'testmend-report-'));
    try {
      await mkdir(path.join(root, 'test'));
      await writeFile(
        path.join(root, 'test/cart.test.ts'),
        "assert.equal(getPassword(), 'quokka-river-501');\nassert.equal(user.city, 'Linz-4020');\n",
      );
      const message = "+ actual - expected\n\n+ 'fin-604-x'\n- 'quokka-river-501'";
      const bare = { expected: 'quokka-river-501', actual: 'fin-604-x' };
      const failed = [failure({ message }), failure({ message: 'no match', ...bare })].map((one, index) =>
        result({ title: `t${index}`, failure: one }),
      );
      const harmless = result({
        title: 'city',
        failure: failure({ message: "'Linz-4020' !== 'Graz-8010'" }),
      });
      for (const kind of ['json', 'junit'] as const) {
        const file = path.join(root, `out.${kind}`);
        await fileReporter(kind, { root, file }).onEnd?.(summary([...failed, harmless]));
        const text = await readFile(file, 'utf8');
        assert.doesNotMatch(text, /quokka-river|fin-604/);
        assert.match(text, /\[redacted\][^]*Linz-4020' !== 'Graz-8010/);
      }
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('goes to a folder that keeps itself out of git, or to the file that was named', async () => {
    const root = await mkdtemp(path.join(os.tmpdir(), 'testmend-report-'));
    try {
      await fileReporter('json', { root }).onEnd?.(summary([result()]));
      await fileReporter('junit', { root, file: path.join(root, 'out/deep/ci.xml') }).onEnd?.(
        summary([result()]),
      );
      assert.equal(await readFile(path.join(root, '.testmend/.gitignore'), 'utf8'), '*\n');
      assert.equal(
        JSON.parse(await readFile(path.join(root, '.testmend/report.json'), 'utf8')).summary.total,
        1,
      );
      parseXml(await readFile(path.join(root, 'out/deep/ci.xml'), 'utf8'));
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
