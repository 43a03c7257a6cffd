// Snapshots as text: stored files are read and never run, and what newly appears in one tells whether it may be taken over.
import assert from 'node:assert/strict';
import { readSnapshotFile } from '../../../../src/core/fixes/snapshots/snapshotFile.ts';
import { snapshotFailureOf } from '../../../../src/core/fixes/snapshots/snapshotFailure.ts';
import { snapshotStops } from '../../../../src/core/fixes/snapshots/snapshotStops.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { stored } from './snapshotShop.ts';

describe('a stored file of snapshots', () => {
  it('is read with its escapes and line ends', () => {
    const text = stored({ 'a \\`b\\` 1': '\n"\\${x} \\\\n"\n', 'c 1': '$5' }).replaceAll('\n', '\r\n');
    const entries = readSnapshotFile(text);
    assert.deepEqual(
      entries?.map(({ name, value }) => [name, value]),
      [
        ['a `b` 1', '\n"${x} \\n"\n'],
        ['c 1', '$5'],
      ],
    );
    for (const { raw, start, end } of entries ?? []) assert.equal(text.slice(start, end), raw);
  });

  it('is not read when it holds anything else', () => {
    assert.equal(readSnapshotFile(`${stored({ 'a 1': 'x' })}process.exit(1);\n`), undefined);
    assert.equal(readSnapshotFile(stored({ 'a 1': '${process.exit(1)}' })), undefined);
    assert.equal(readSnapshotFile(`${stored({ 'a 1': 'x' })}${stored({ 'a 1': 'y' })}`), undefined);
  });
});

describe('what newly appears in a snapshot', () => {
  const stops = (old: string, now: string): string =>
    snapshotStops(old, now)
      .map(({ reason }) => reason)
      .join(' ');
  const object = (...lines: readonly string[]): string =>
    `\n{\n${lines.map((line) => `  ${line},\n`).join('')}}\n`;

  it('is taken over when it is plain content', () => {
    assert.equal(stops('\n"<b class="btn">\n"\n', '\n"<b class="button">\n"\n'), '');
    assert.equal(stops(object('"a": 1', '"b": null'), object('"a": 2', '"b": null')), '');
    assert.equal(stops(object('"a": 1'), object('"a": 1', '"c": "new"')), '');
    assert.equal(stops(object('"line": 0', '"status": 200'), object('"line": 1', '"status": 201')), '');
    assert.equal(
      stops(object('"all": [', '  1,', '  2', ']'), object('"all": [', '  0,', '  1,', '  2', ']')),
      '',
    );
    assert.equal(stops('[Error: no stock]', '[Error: out of stock]'), '');
  });

  it('stops when it looks like a fault of the code', () => {
    const found: readonly (readonly [string, string, RegExp])[] = [
      [object('"a": 1'), object('"a": undefined'), /"undefined"/],
      ['"3 €"', '"NaN €"', /"NaN"/],
      ['"Ada"', '"[object Object]"', /\[object Object\]/],
      [object('"a": "x"'), object('"a": null'), /"null"/],
      ['"text"', '""', /is empty/],
      [object('"a": "x"'), object('"a": ""'), /empty text/],
      [object('"a": [', '"x"', ']'), object('"a": []'), /an empty list or object/],
      ['[Error: no stock]', '[TypeError: stock.find is not a function]', /TypeError.*|message of a crash/],
      ['"ok"', '"failed\n    at run (src/run.ts:3:7)"', /stack trace/],
      ['"ok"', '"/home/ada/shop/src/a.ts"', /path of this machine/],
      [object('"a": true'), object('"a": false'), /inverted: "a" was true/],
      [object('"a": 1'), object('"a": "1"'), /type changed: "a" was a number and is now a text/],
      [object('"a": 1', '"b": 2'), object('"a": 1'), /"b" is missing/],
      [object('"a": 1'), object('"a": [Function]'), /a function/],
      [object('"errors": []'), object('"errors": [', '  "db down"', ']'), /Nothing was expected for errors/],
      [object('"status": 200'), object('"status": 500'), /outcome changed/],
      [object('"reply": {', '  "code": 0', '}'), object('"reply": {', '  "code": 2', '}'), /outcome changed/],
      [object('"failed": 0'), object('"failed": 2'), /Nothing was expected/],
      [object('"total": 12'), object('"total": 0'), /became 0/],
      [object('"a": 1'), object('"a": 1', '"error": "db down"'), /reports a problem/],
      ['[]', '\n[\n  "too long",\n]\n', /Nothing was expected/],
      ['"2020-01-01"', JSON.stringify(new Date().toISOString().slice(0, 10)), /today's date/],
    ];
    for (const [old, now, reason] of found) assert.match(stops(old, now), reason, now);
  });
});

describe('the failure of a test', () => {
  const kindOf = (...messages: readonly string[]): string | undefined => {
    const [failure, ...moreFailures] = messages.map((message) => ({
      message,
      stack: [],
      kind: 'assertion' as const,
      severity: 'medium' as const,
    }));
    const found = snapshotFailureOf({
      id: 'vitest:a.test.ts#a',
      file: 'a.test.ts',
      line: 1,
      title: 'a',
      suites: [],
      outcome: 'failed',
      durationMs: 1,
      ...(failure && { failure }),
      moreFailures,
    });
    return found?.kind === 'refused' ? found.reason.split(':')[0] : found?.kind;
  };

  it('is one of snapshots when nothing else failed', () => {
    const ofJest =
      'expect(received).toMatchSnapshot()\n\nSnapshot name: `a 1`\n\nSnapshot: "x"\nReceived: "y"';
    assert.equal(kindOf('Snapshot `a > b 1` mismatched'), 'mismatch');
    assert.equal(kindOf(ofJest, ofJest), 'mismatch');
    assert.equal(kindOf('expected 1 to be 2'), undefined);
    assert.equal(
      kindOf(ofJest, 'expect(received).toBe(expected)'),
      'The test also fails for a reason other than its snapshots',
    );
    assert.equal(kindOf(`expected 'Snapshot of \`a\`' to be 'x'`), undefined);
  });
});

describe('the gate over snapshots', () => {
  const file = 'src/__snapshots__/a.test.ts.snap';
  const before = stored({ 'a 1': '"x"', 'b 1': '"y"' });
  const rules = (
    after: string,
    others: readonly { file: string; before: string; after: string }[] = [],
  ): string[] => checkPolicyOfEdits([{ file, before, after }, ...others], () => true).map(({ rule }) => rule);

  it('lets an entry change and none be emptied, doubled, taken away or added without its test', () => {
    assert.deepEqual(rules(before.replace('"x"', '"z"')), []);
    assert.deepEqual(rules(before.replace('"x"', '""')), ['removed-entries']);
    assert.deepEqual(rules(stored({ 'b 1': '"y"' })), ['removed-entries']);
    assert.deepEqual(rules(`${before}\nexports[\`a 1\`] = \`"z"\`;\n`), ['snapshot-code']);
    const added = stored({ 'a 1': '"x"', 'b 1': '"y"', 'c 1': '"z"' });
    assert.deepEqual(rules(added), ['unrelated-snapshot']);
    const test = `import { test, expect } from 'vitest';\nimport { a } from './a.ts';\n`;
    const more = `${test}test('c', () => expect(a()).toMatchSnapshot());\n`;
    assert.deepEqual(rules(added, [{ file: 'src/a.test.ts', before: test, after: more }]), []);
  });

  it('lets the text of an inline snapshot change but not go', () => {
    const test = (snapshot: string): string =>
      `import { test, expect } from 'vitest';\nimport { a } from './a.ts';\ntest('a', () => {\n  expect(a()).toMatchInlineSnapshot(${snapshot});\n});\n`;
    const inline = (after: string): string[] =>
      checkPolicyOfEdits(
        [{ file: 'src/a.test.ts', before: test('`"x"`'), after: test(after) }],
        () => true,
      ).map(({ rule }) => rule);
    assert.deepEqual(inline('`\n    "longer\n    text"\n  `'), []);
    for (const weaker of ['', '``', '`""`', '{ id: expect.any(String) }, `"x"`'])
      assert.deepEqual(inline(weaker), ['weaker-matcher'], weaker);
    assert.deepEqual(inline('`"${a()}"`'), ['computed-expectation']);
  });
});
