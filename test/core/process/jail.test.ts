// Holds what a jail promises, with programs that want to break out of it; in each jail that this machine has.
import assert from 'node:assert/strict';
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runInJail, type Jail } from '../../../src/core/process/jail.ts';
import { pathPlaces, programPlaces } from '../../../src/core/process/programPlaces.ts';
import type { ProcessResult } from '../../../src/core/process/runProcess.ts';
import { jailsHere } from '../../support/jailsHere.ts';

describe('a jail', function () {
  this.timeout(60_000);
  let top = '';
  let jails: readonly Jail[] = [];
  const at = (...parts: string[]): string => path.join(top, ...parts);

  before(async function () {
    jails = await jailsHere();
    if (jails.length === 0) this.skip();
  });
  beforeEach(async () => {
    top = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-jail-')));
    for (const name of ['own', 'packages', 'user/hidden']) await mkdir(at(name), { recursive: true });
    await writeFile(at('packages/index.js'), 'theirs');
    await writeFile(at('user/secret'), 'secret');
    await writeFile(at('user/hidden/secret'), 'secret');
  });
  afterEach(() => rm(top, { recursive: true, force: true }));

  async function run(
    jail: Jail,
    script: string,
    { words = [top], timeoutMs = 20_000 }: { words?: readonly string[]; timeoutMs?: number } = {},
  ): Promise<ProcessResult & { readonly said: string }> {
    let said = '';
    const folder = at('jail');
    const view = { readable: [at('packages')], writable: [at('own')], hidden: [], folder };
    const asked = { command: '/bin/sh', args: ['-c', script, 'sh', ...words], cwd: at('own'), timeoutMs };
    const result = await runInJail(jail, view, { ...asked, onOutput: (_, text) => (said += text) });
    return { ...result, said };
  }
  const running = (words: string): readonly string[] =>
    readdirSync('/proc').filter((name) => {
      try {
        return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(words);
      } catch {
        return false;
      }
    });

  it('shows what it was given, and of the user nothing else: no files, no home, no processes', async () => {
    for (const jail of jails) {
      await writeFile(path.join(os.tmpdir(), 'testmend-theirs'), '');
      const { said, exitCode } = await run(
        jail,
        `cat "$1"/packages/index.js; ls "$1"; ls -A "$HOME" /tmp | grep -c theirs; cat "$1"/user/secret 2>&1; test -e /proc/${process.pid}/environ && echo sees us; exit 3`,
      );
      await rm(path.join(os.tmpdir(), 'testmend-theirs'));
      assert.equal(exitCode, 3, said);
      assert.match(said, /^theirsown\npackages\n0\ncat: .*No such file/);
      assert.doesNotMatch(said, /sees us|secret$/m);
    }
  });

  it('lets nothing be written but what it was given for that', async () => {
    for (const jail of jails) {
      const { said } = await run(
        jail,
        `for file in "$1"/own/mine "$1"/packages/index.js "$1"/packages/more "$1"/user/secret "$1"/user/hidden/secret "$HOME"/testmend-x /tmp/testmend-x /etc/testmend-x /usr/testmend-x; do echo harm >"$file"; done
         ln "$1"/packages/index.js "$1"/own/hard && echo harm >"$1"/own/hard
         ln -s "$1"/packages/index.js "$1"/own/soft && echo harm >"$1"/own/soft
         for mode in -m -Urm; do unshare $mode sh -c 'mount -o remount,rw,bind "$1"/packages; umount -l "$1"/packages; echo harm >"$1"/packages/index.js; echo harm >"$1"/user/secret' sh "$1"; done
         true`,
      );
      assert.equal(await readFile(at('own/mine'), 'utf8'), 'harm\n', said);
      assert.equal(await readFile(at('packages/index.js'), 'utf8'), 'theirs');
      assert.deepEqual(await readdir(at('packages')), ['index.js']);
      assert.equal(await readFile(at('user/secret'), 'utf8'), 'secret');
      assert.equal(await readFile(at('user/hidden/secret'), 'utf8'), 'secret');
      for (const file of [
        path.join(os.homedir(), 'testmend-x'),
        '/tmp/testmend-x',
        '/etc/testmend-x',
        '/usr/testmend-x',
      ])
        assert.equal(existsSync(file), false, file);
    }
  });

  it('lets nothing of the machine be changed by /proc, nor by another one that is mounted there', async () => {
    // Opened for writing only: nothing is written, should it succeed.
    const open = `find /proc -path '/proc/[0-9]*' -prune -o -path /proc/self -prune -o -path /proc/thread-self -prune -o -type f -perm /222 -print 2>/dev/null | while read -r file; do [ -f "$file" ] && ( : >>"$file" ) 2>/dev/null && echo "opens $file"; done; ( : <>/proc/sys/kernel/core_uses_pid ) 2>/dev/null && echo opens both`;
    for (const jail of jails) {
      const { said } = await run(
        jail,
        `${open}
         unshare -Urmpf sh -c 'mount -t proc proc /proc && ( : >>/proc/sys/kernel/core_uses_pid ) && echo opens it below'
         unshare -Urm sh -c 'umount -l /proc/sys; mount -o remount,rw,bind /proc/sys; ( : >>/proc/sys/kernel/core_uses_pid ) && echo opens it there'
         head -c 1 /proc/keys /proc/timer_list; ls /sys; test -r /proc/sys/kernel/ostype && test -r /proc/meminfo && echo reads`,
        { timeoutMs: 50_000 },
      );
      assert.doesNotMatch(said, /opens/, `${jail.name}: ${said}`);
      assert.match(said, /reads/, said);
    }
  });

  it('shows the parts of an installation whose `bin` is on PATH, and nothing else that lies beside them', async () => {
    const { PATH = '' } = process.env;
    const seen = [
      'bin/agent',
      'include/agent.h',
      'lib/agent.js',
      'libexec/more',
      'share/man',
      'versions/1/linked',
    ];
    const files = [...seen, 'versions/1/token', 'token', 'credentials.toml', 'data/mail'];
    for (const file of files.map((name) => `.tool/${name}`)) {
      await mkdir(path.dirname(at('user', file)), { recursive: true });
      await writeFile(at('user', file), '#!/bin/sh\n', { mode: 0o755 });
    }
    await symlink('../versions/1/linked', at('user/.tool/bin/linked'));
    process.env['PATH'] = `${at('user/.tool/bin')}:${PATH}`;
    try {
      const readable = [...pathPlaces(), ...programPlaces(at('user/.tool/bin/agent'))];
      for (const jail of jails) {
        let said = '';
        await runInJail(
          jail,
          { readable, writable: [], hidden: [], folder: at('jail') },
          {
            command: '/bin/sh',
            args: ['-c', 'linked; agent; find .tool -type f | sort'],
            cwd: at('user'),
            onOutput: (_, text) => (said += text),
          },
        );
        assert.equal(said, seen.map((name) => `.tool/${name}\n`).join(''));
      }
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  it('shows nothing of /etc that only some may read', async () => {
    const secret = readableByFew('/etc');
    for (const jail of jails) {
      // Names only: what is in these files belongs in no log of a failed test.
      const script =
        'for file; do [ -s "$file" ] && cat "$file" >/dev/null 2>&1 && echo "$file"; done; head -c 5 /etc/passwd';
      assert.equal((await run(jail, script, { words: secret })).said, 'root:');
    }
  });

  it('hides a folder within what it shows', async () => {
    for (const jail of jails) {
      let said = '';
      await runInJail(
        jail,
        { readable: [at('user')], writable: [], hidden: [at('user/hidden')], folder: at('jail') },
        {
          command: '/bin/sh',
          args: ['-c', 'cat secret; ls -A hidden'],
          cwd: at('user'),
          onOutput: (_, text) => (said += text),
        },
      );
      assert.equal(said, 'secret');
    }
  });

  it('ends all that was started in it with its program, however that was started', async () => {
    for (const jail of jails) {
      const mark = `987654.${process.pid}`;
      const { exitCode } = await run(
        jail,
        `env -i setsid sleep ${mark} >/dev/null 2>&1 </dev/null &
         (nohup sleep ${mark} >/dev/null 2>&1 </dev/null & ) &
         setsid sh -c 'cd /; exec env -i setsid sh -c "sleep ${mark} & sleep ${mark}"' >/dev/null 2>&1 </dev/null &
         command -v at && echo "sleep ${mark}" | at now
         sleep 0.5; exit 4`,
      );
      assert.equal(exitCode, 4);
      assert.deepEqual(running(mark), []);
    }
  });

  it('ends all of it at the time limit', async () => {
    for (const jail of jails) {
      const mark = `987653.${process.pid}`;
      const { ended } = await run(jail, `trap '' TERM; env -i setsid sleep ${mark} & sleep ${mark}`, {
        timeoutMs: 1_000,
      });
      assert.equal(ended, 'timeout');
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.deepEqual(running(mark), []);
    }
  });
});

/** Files that we can read and others cannot: with the rights of a common user there may be none. */
function readableByFew(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => {
      try {
        const stats = lstatSync(file);
        if (!stats.isFile() || (stats.mode & 0o004) !== 0) return false;
        accessSync(file, constants.R_OK);
        return true;
      } catch {
        return false;
      }
    });
}
