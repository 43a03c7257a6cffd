// What is read of the lines of a reporter: those that it sealed, in their order, all of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { SealedLines, type SealedLine } from '../../../src/core/process/sealedLines.ts';

const channel = path.resolve(import.meta.dirname, '../../../src/core/frameworks/reporterChannel.cjs');
const secret = '0123456789abcdef'.repeat(2);

/** What a process of ours says of these texts. */
function said(texts: readonly string[]): readonly string[] {
  const code = `const { send } = require(${JSON.stringify(channel)}).openChannel();
for (const text of ${JSON.stringify(texts)}) send({ type: 'note', text });`;
  // Windows alone gives the key so; it is as good here.
  const env = { ...process.env, TESTMEND_CHANNEL: '3', TESTMEND_CHANNEL_KEY: secret };
  const { output } = spawnSync(process.execPath, ['-e', code], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  return String(output[3])
    .split('\n')
    .filter((line) => line !== '');
}

function read(lines: readonly string[], by = secret): readonly unknown[] {
  const reader = new SealedLines(by);
  return lines.map((line) => textOf(reader.read(line)));
}

const textOf = (line: SealedLine): string =>
  typeof line === 'string' ? line : line.type === 'note' ? line.text : line.type;

describe('the lines of a reporter', () => {
  const texts = ['one', 'z', 'ü “two” \u{1F600}\n"', 'x'.repeat(100_000), 'last'];
  const lines = said(texts);

  it('say what was said, whatever characters', () => {
    assert.deepEqual(read(lines), texts);
  });

  it('are refused when one is left out, said twice, altered, or sealed by somebody else', () => {
    const [first = '', second = '', third = ''] = lines;
    assert.deepEqual(read([first, third]), ['one', 'forged']);
    assert.deepEqual(read([first, first, second]), ['one', 'forged', 'z']);
    assert.deepEqual(read([first.replace('one', 'two')]), ['forged']);
    assert.deepEqual(read([first], 'f'.repeat(32)), ['forged']);
  });

  it('are told from what is no message, and from what pretends to be one', () => {
    const pretended = JSON.stringify({ type: 'runFinished' });
    assert.deepEqual(read(['hello', '{"a":1}', pretended]), ['strange', 'strange', 'forged']);
  });
});
