// The frames of node's own runner among what is printed, however the pipe cuts them.
import assert from 'node:assert/strict';
import { serialize } from 'node:v8';
import { NodeTestFrames } from '../../../../src/core/frameworks/nodeTest/nodeTestFrames.ts';

function frame(type: string, data: object): Buffer {
  const body = serialize({ type, data });
  const head = Buffer.from([0xff, 0x0f, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
}

/** What is left as text, and the failure, when the bytes come in pieces of a size. */
function read(bytes: Buffer, size: number): readonly [string, string | undefined] {
  const frames = new NodeTestFrames();
  const shown: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) shown.push(frames.read(bytes.subarray(at, at + size)));
  return [Buffer.concat([...shown, frames.finish()]).toString('latin1'), frames.failure];
}

const sizes = [1, 7, 1000, 1e7];

describe('NodeTestFrames', () => {
  it('takes the frames out and tells the first test that failed', () => {
    const bytes = Buffer.concat([
      Buffer.from('before\n'),
      frame('test:pass', { name: 'first' }),
      Buffer.from('between'),
      frame('test:fail', { name: 'to do', details: { error: 'x'.repeat(5000) }, todo: true }),
      frame('test:fail', { name: 'second', details: { todo: 1 } }),
      frame('test:fail', { name: 'third' }),
      Buffer.from('after'),
    ]);
    for (const size of sizes)
      assert.deepEqual(read(bytes, size), [
        'before\nbetweenafter',
        '"second" failed in a process or worker that this file started.',
      ]);
  });

  it('leaves every other byte as it is', () => {
    const begun = frame('test:pass', { name: 'never ends' }).subarray(0, 40);
    const others = [
      [0xff],
      [0xff, 0x0f],
      [0xff, 0xff, 0x0f, 0, 0, 0, 9, 0xff, 0x0f, 0x6f],
      [0xff, 0x0f, 0x61],
    ];
    for (const text of [...others.map((bytes) => Buffer.from([0x61, ...bytes])), begun])
      for (const size of sizes) assert.deepEqual(read(text, size), [text.toString('latin1'), undefined]);
  });

  it('finds a failure behind a header that claims more than there is, in another frame, and in one that is broken', () => {
    const failed = frame('test:fail', { name: 'hidden' });
    const long = frame('test:pass', { name: 'x' });
    long.writeUInt32BE(70_000, 2);
    for (const size of sizes)
      assert.equal(
        read(Buffer.concat([long, failed]), size)[1],
        '"hidden" failed in a process or worker that this file started.',
      );
    const around = frame('test:pass', { name: 'x' });
    around.writeUInt32BE(around.length + failed.length - 6, 2);
    const broken = Buffer.from(failed);
    broken.writeUInt32BE(40, 2);
    for (const bytes of [Buffer.concat([around, failed]), Buffer.concat([broken, failed])])
      assert.match(read(bytes, 7)[1] ?? '', /failed in a process or worker that this file started\.$/);
  });
});
