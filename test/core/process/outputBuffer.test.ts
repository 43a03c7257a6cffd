import assert from 'node:assert/strict';
import { OutputBuffer } from '../../../src/core/process/outputBuffer.ts';
import { readLines } from '../../../src/core/process/outputReaders.ts';

const budget = (): { left: number } => ({ left: Number.POSITIVE_INFINITY });

describe('OutputBuffer', () => {
  it('keeps everything that fits', () => {
    const buffer = new OutputBuffer(budget(), 100);
    assert.equal(buffer.append('one '), 'one ');
    buffer.append('two');
    assert.equal(buffer.text(), 'one two');
    assert.equal(buffer.isCut, false);
  });

  it('cuts the middle out and says how much', () => {
    const buffer = new OutputBuffer(budget(), 20);
    for (let number = 0; number < 1000; number++) buffer.append(`${String(number).padStart(3, '0')} `);
    assert.equal(buffer.text(), '000 001 00\n… 3980 bytes of output left out …\n7 998 999 ');
  });

  it('holds back only what was not shown while it came', () => {
    const buffer = new OutputBuffer(budget(), 10);
    const live = ['abc', 'defgh', 'ijklmnop'].map((text) => buffer.append(text)).join('');
    assert.equal(live, 'abcde');
    assert.equal(live + buffer.heldBack(), buffer.text());
  });

  it('never cuts a character in two', () => {
    const buffer = new OutputBuffer(budget(), 16);
    for (let count = 0; count < 100; count++) buffer.append('🙂€');
    assert.doesNotMatch(buffer.text(), /\uFFFD/);
  });

  it('keeps little of each test when the run has printed too much', () => {
    const shared = { left: 10_000 };
    const buffers = Array.from({ length: 50 }, () => new OutputBuffer(shared, 8_000));
    for (const buffer of buffers) buffer.append('x'.repeat(100_000));
    const kept = buffers.reduce((sum, buffer) => sum + buffer.text().length, 0);
    assert.ok(kept < 50 * 2_200 + 10_000, `kept ${kept}`);
    assert.ok(buffers.every((buffer) => buffer.text().length > 1_000));
  });

  it('keeps its memory bounded when output comes in many small pieces', () => {
    const buffer = new OutputBuffer(budget(), 1024);
    for (let count = 0; count < 300_000; count++) buffer.append('x\n');
    assert.ok(Buffer.byteLength(buffer.text()) < 1_200);
  });
});

describe('readLines', () => {
  it('puts lines together from pieces, and leaves out empty ones', () => {
    const lines: string[] = [];
    const reader = readLines((line) => lines.push(line));
    for (const piece of ['on', 'e\r\n\ntw', 'o\nthree']) reader.read(Buffer.from(piece));
    reader.finish();
    assert.deepEqual(lines, ['one', 'two', 'three']);
  });
});
