// What can be opened as a recorded cycle, and what is said of everything else.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../../src/core/base/humanError.ts';
import { mostMegabytes, readRecording } from '../../src/extension/webview/readRecording.ts';
import { ended as endedWith, started } from '../support/cycleParts.ts';

const progress = (text: string): object => ({ type: 'progress', text });
const ended = endedWith({ status: 'nothing-to-do', ended: 'target' });
const lines = (...events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

describe('a recording that is opened', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-recording-')));
    file = path.join(folder, 'fix.ndjson');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** What is said of a file with this text: message and remedy. */
  const refused = async (text: string | undefined): Promise<string> => {
    if (text !== undefined) await writeFile(file, text);
    const error = await readRecording(file).then(
      () => assert.fail('it was read'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof HumanError, String(error));
    assert.equal(error.details.file, file);
    assert.ok(error.details.remedy.length > 10);
    return `${error.message} ${error.details.remedy}`;
  };

  it('has every event, what else stands in them aside, and its root', async () => {
    const more = { ...progress('looking for tests\u2028 and more'), added: { later: true } };
    await writeFile(file, `\uFEFF${lines(started, more)}\n\r\n${JSON.stringify(ended)}`);
    assert.deepEqual(await readRecording(file), {
      file,
      root: '/shop',
      events: [started, progress('looking for tests\u2028 and more'), ended],
    });
  });

  it('is shown up to a last line that was cut off, which is said', async () => {
    const whole = lines(started, progress('äöü 🙂'));
    const bytes = Buffer.from(`${whole}{"type":"progress","text":"half a 🙂`).subarray(0, -2);
    await writeFile(file, bytes);
    const recording = await readRecording(file);
    assert.deepEqual(recording.events, [started, progress('äöü 🙂')]);
    assert.match(recording.missing ?? '', /^Line 3 is incomplete /);
  });

  it('says when the cycle had not ended', async () => {
    await writeFile(file, lines(started));
    assert.equal((await readRecording(file)).missing, 'The recording ends before the cycle did.');
  });

  it('is read whole where lines are longer than what is read at once', async () => {
    const long = progress('x'.repeat(3 * 1024 * 1024));
    await writeFile(file, lines(started, long, ended));
    assert.deepEqual((await readRecording(file)).events, [started, long, ended]);
  });

  it('is a file that is there', async () => {
    assert.match(await refused(undefined), /^fix\.ndjson does not exist\. /);
    await mkdir(file);
    assert.match(await refused(undefined), /^fix\.ndjson is not a file\. /);
  });

  it('holds events from its first line on', async () => {
    assert.match(await refused(''), /^fix\.ndjson holds no events\. .*fix --events ndjson=FILE/);
    assert.match(await refused('\u0000PNG\u0001'), /^fix\.ndjson, line 1 is not JSON\. /);
    assert.match(
      await refused(lines(progress('running'), started)),
      /^fix\.ndjson, line 1 is the first event and not "cycleStarted"\. .*first line/,
    );
  });

  it('names the line that is no event, and why', async () => {
    assert.match(await refused(`${lines(started)}{"half\n${lines(ended)}`), /, line 2 is not JSON\. Record/);
    assert.match(await refused(`${lines(started)}\n[1]\n`), /, line 3 is not an event of a fix cycle/);
    assert.match(
      await refused(`${lines(started)}{"type":"cycle","version":1}\n`),
      /, line 2 is an event of the type "cycle", which this version of Testmend does not know\. /,
    );
    assert.match(
      await refused(lines(started, { type: 'progress', text: 3 })),
      /, line 2 is not a complete event of the type "progress": text: .*\. .*another version/,
    );
    assert.match(await refused(lines(started, ended, started)), /, line 3 begins another cycle\. /);
  });

  it('is not larger than the panel can hold, which the size alone tells', async () => {
    await writeFile(file, lines(started));
    await truncate(file, mostMegabytes * 1024 * 1024 + 1);
    assert.match(
      await refused(undefined),
      /^fix\.ndjson is larger than 32 MB, the largest that can be shown\. /,
    );
  });
});
