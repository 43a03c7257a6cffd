// The journal of trials in the workspace itself, beside somebody who saves at the very moment that hurts most.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { InPlaceJournal, type GivenBackFiles } from '../../../src/core/sandbox/inPlaceJournal.ts';
import { thisProcess } from '../../../src/core/sandbox/processOwner.ts';
import { inPlaceCorner } from '../../../src/core/base/userFolders.ts';
import { amidCall } from '../../support/amidCall.ts';

const former = 'the text from before\n';
const trial = Buffer.from('a trial\n');
const mine = 'what the user saved\n';

/** How programs save: VS Code into the file, vim and git by a rename over it. */
const saves = {
  'into the file': (file: string) => fs.writeFileSync(file, mine),
  'by a rename': (file: string) => {
    fs.writeFileSync(`${file}~`, mine);
    fs.renameSync(`${file}~`, file);
  },
};

/** Moments in the way of a file to its place: the last write to the log, the file is taken away, the new one gets its name. */
const moments = {
  appendFileSync: () => true,
  renameSync: (_from: unknown, to: unknown) => String(to).endsWith('.aside'),
  linkSync: (_from: unknown, to: unknown) => path.basename(String(to)) === 'price.test.ts',
};
type Moment = keyof typeof moments;

describe('the journal of trials in the workspace itself', () => {
  const state = process.env['XDG_STATE_HOME'];
  let beside: string;
  let root: string;
  let file: string;
  let journal: InPlaceJournal;
  beforeEach(() => {
    beside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'testmend-test-')));
    root = path.join(beside, 'shop');
    fs.mkdirSync(root);
    file = path.join(root, 'price.test.ts');
    fs.writeFileSync(file, former);
    process.env['XDG_STATE_HOME'] = path.join(beside, 'state');
  });
  afterEach(() => {
    fs.rmSync(beside, { recursive: true, force: true });
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
  });

  const begin = async (): Promise<void> => {
    journal = InPlaceJournal.begin(root, await thisProcess());
  };
  const text = (): string => fs.readFileSync(file, 'utf8');
  const folder = (): string => path.join(inPlaceCorner(root), 'journal');
  const logs = (): string[] =>
    fs.readdirSync(folder()).map((name) => path.join(folder(), name, 'log.ndjson'));
  /** What the next start does after a kill. */
  const recover = (): GivenBackFiles => {
    const [found] = InPlaceJournal.found(inPlaceCorner(root));
    assert.ok(found);
    return found.journal.end();
  };
  const rescued = ({ kept }: GivenBackFiles): (string | undefined)[] =>
    kept.map(({ file: place, original, because }) =>
      fs.readFileSync(because === 'unnamed' ? place : (original ?? ''), 'utf8'),
    );
  const amid = (moment: Moment, deed: () => void, work: () => void): boolean =>
    amidCall(moment, { fits: moments[moment], deed }, work);

  for (const moment of ['appendFileSync', 'renameSync', 'linkSync'] as const) {
    for (const [way, save] of Object.entries(saves)) {
      it(`leaves alone what is saved ${way} before ${moment} of a first trial`, async () => {
        await begin();
        assert.ok(
          amid(
            moment,
            () => save(file),
            () => assert.ok(journal.write(file, trial)),
          ),
        );
        assert.equal(text(), mine);
        assert.deepEqual(journal.end(), { restored: [], kept: [], failed: [] });
        assert.equal(text(), mine);
        assert.deepEqual(fs.readdirSync(root), ['price.test.ts']);
      });

      it(`leaves alone what is saved ${way} before ${moment} of a second trial, and keeps the former text`, async () => {
        await begin();
        journal.write(file, Buffer.from('first trial'));
        const kept: unknown[] = [];
        assert.ok(
          amid(
            moment,
            () => save(file),
            () => kept.push(journal.write(file, trial)),
          ),
        );
        const [left] = kept;
        assert.ok(left && typeof left === 'object' && 'original' in left);
        assert.equal(fs.readFileSync(String(left.original), 'utf8'), former);
        assert.equal(text(), mine);
        journal.end();
        assert.equal(text(), mine);
      });
    }
  }

  for (const [way, save] of Object.entries(saves)) {
    for (const moment of ['appendFileSync', 'renameSync'] as const)
      it(`takes no file away that is saved ${way} before ${moment}`, async () => {
        await begin();
        assert.ok(
          amid(
            moment,
            () => save(file),
            () => assert.ok(journal.write(file, undefined)),
          ),
        );
        journal.end();
        assert.equal(text(), mine);
      });

    for (const moment of ['renameSync', 'linkSync'] as const)
      it(`brings no old text over what is saved ${way} before ${moment} of giving back`, async () => {
        await begin();
        journal.write(file, trial);
        let end: GivenBackFiles | undefined;
        assert.ok(
          amid(
            moment,
            () => save(file),
            () => (end = journal.end()),
          ),
        );
        assert.equal(text(), mine);
        assert.deepEqual(end && rescued(end), [former]);
        assert.deepEqual(fs.readdirSync(folder()), []);
      });
  }

  it('does the same where the journal lies on another disk', async function () {
    const other = fs.existsSync('/dev/shm') ? fs.mkdtempSync('/dev/shm/testmend-') : beside;
    try {
      if (fs.statSync(other).dev === fs.statSync(beside).dev) this.skip();
      process.env['XDG_STATE_HOME'] = other;
      for (const moment of ['appendFileSync', 'renameSync', 'linkSync'] as const)
        for (const save of Object.values(saves)) {
          fs.writeFileSync(file, former);
          await begin();
          assert.ok(
            amid(
              moment,
              () => save(file),
              () => assert.ok(journal.write(file, trial)),
            ),
          );
          assert.equal(text(), mine, moment);
          journal.end();
          assert.equal(text(), mine, moment);
          assert.deepEqual(fs.readdirSync(root), ['price.test.ts']);
        }
      await begin();
      journal.write(file, trial);
      assert.ok(
        amid(
          'renameSync',
          () => saves['by a rename'](file),
          () => journal.end(),
        ),
      );
      assert.equal(text(), mine);
      await begin();
      journal.write(file, trial);
      recover();
      assert.equal(text(), mine, 'a kill costs nothing');
    } finally {
      if (other !== beside) fs.rmSync(other, { recursive: true, force: true });
    }
  });

  it('does not take for its own what git wrote with the same text', async () => {
    await begin();
    journal.write(file, trial);
    fs.writeFileSync(`${file}~`, trial);
    fs.renameSync(`${file}~`, file);
    assert.deepEqual(rescued(recover()), [former]);
    assert.equal(text(), String(trial));
  });

  it('keeps an original that no readable line of the log tells of', async () => {
    await begin();
    journal.write(file, trial);
    const [log = ''] = logs();
    fs.writeFileSync(log, fs.readFileSync(log, 'utf8').replace('"original"', '"of a later version"'));
    assert.deepEqual(rescued(recover()), [former]);
  });

  it('loses no line after one that a full disk cut off', async () => {
    await begin();
    const [log = ''] = logs();
    fs.appendFileSync(log, '{"op":"original","original":{"fi');
    journal.write(file, trial);
    recover();
    assert.equal(text(), former);
    assert.deepEqual(fs.readdirSync(folder()), []);
  });

  it('writes an original back from memory when its folder was emptied', async () => {
    await begin();
    journal.write(file, trial);
    fs.rmSync(path.join(beside, 'state'), { recursive: true });
    assert.deepEqual(journal.end().failed, []);
    assert.equal(text(), former);
    assert.deepEqual(fs.readdirSync(root), ['price.test.ts']);
  });

  it('calls an original lost, and not given back, when it was removed and nobody remembers it', async () => {
    await begin();
    journal.write(file, trial);
    const [log = ''] = logs();
    for (const name of fs.readdirSync(path.dirname(log)))
      if (name.endsWith('price.test.ts')) fs.rmSync(path.join(path.dirname(log), name));
    const { restored, kept } = recover();
    assert.deepEqual(restored, []);
    assert.deepEqual(kept, [{ file, original: undefined, because: 'lost' }]);
    assert.equal(text(), String(trial));
  });

  it('ends when a folder has become a file', async () => {
    const inner = path.join(root, 'deep', 'new.test.ts');
    await begin();
    journal.write(inner, trial);
    fs.rmSync(path.join(root, 'deep'), { recursive: true });
    fs.writeFileSync(path.join(root, 'deep'), mine);
    assert.deepEqual(recover().failed, []);
    assert.deepEqual(fs.readdirSync(folder()), []);
    assert.equal(fs.readFileSync(path.join(root, 'deep'), 'utf8'), mine);
  });

  it('quietly ends what was killed before it had removed an original that was given back', async () => {
    await begin();
    journal.write(file, trial);
    const [log = ''] = logs();
    const [kept = ''] = fs.readdirSync(path.dirname(log)).filter((name) => name.endsWith('price.test.ts'));
    journal.restore(file);
    fs.writeFileSync(path.join(path.dirname(log), kept), former);
    fs.writeFileSync(file, mine);
    assert.deepEqual(recover(), { restored: [], kept: [], failed: [] });
    assert.equal(text(), mine);
    assert.deepEqual(fs.readdirSync(folder()), []);
  });

  it('begins nowhere inside the workspace, nor among temporary files', async () => {
    process.env['XDG_STATE_HOME'] = path.join(root, 'state');
    await assert.rejects(begin(), /lies inside the workspace/);
    assert.deepEqual(fs.readdirSync(root), ['price.test.ts']);
  });
});
