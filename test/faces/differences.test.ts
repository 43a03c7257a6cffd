import assert from 'node:assert/strict';
import { differencesOf } from './differences.ts';

const answer = (stdout: unknown, code = 0) => ({
  code,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr: '',
});
const broken = (...asked: Parameters<typeof differencesOf>): string[] =>
  differencesOf(...asked).flatMap(({ isBroken, text }) => (isBroken ? [text] : []));

describe('the comparison of two command lines', () => {
  it('calls another exit code, a gone key, another type and a gone option broken', () => {
    assert.deepEqual(broken(answer('', 0), answer('', 1)), ['exit code 0 → 1']);
    const report = { tests: [{ id: 'a', line: 3 }, { id: 'b' }] };
    assert.deepEqual(broken(answer(report), answer({ tests: [{ id: 'a' }] })), [
      '.tests[].line is gone: [3]',
    ]);
    assert.deepEqual(broken(answer({ total: 1 }), answer({ total: '1' })), ['.total: number → string ["1"]']);
    assert.deepEqual(broken(answer({ total: 1 }), answer('1 test')), ['JSON on stdout: true → false']);
    const help = '  --json  one document\n  --root D  folder\n';
    assert.deepEqual(broken(answer(help), answer('  --json  one JSON document\n')), ['-   --root D  folder']);
    const events = (...types: string[]): string => types.map((type) => JSON.stringify({ type })).join('\n');
    assert.deepEqual(broken(answer(events('start', 'step', 'end')), answer(events('start', 'step'))), [
      '.end[].type is gone: ["end"]',
    ]);
  });

  it('only lists other values, new keys and other words, and nothing of times', () => {
    const before = answer({ reason: 'It failed.', durationMs: 3 });
    const after = answer({ reason: 'The test failed.', durationMs: 9, more: true });
    assert.deepEqual(
      differencesOf(before, after).map(({ isBroken, text }) => `${isBroken} ${text}`),
      ['false .reason: ["It failed."] → ["The test failed."]', 'false .more is new: [true]'],
    );
  });
});
