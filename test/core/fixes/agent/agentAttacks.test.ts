// Whole cycles with an agent that wants a comment of its own to be a verified fix, and to do harm to the user's files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { agentProvider, type AgentOptions } from '../../../../src/core/fixes/agent/agentProvider.ts';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { programOnPath } from '../../../../src/core/process/programOnPath.ts';
import { jailsHere } from '../../../support/jailsHere.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../../../support/treeSnapshot.ts';

const file = 'tests/greet.test.js';
const shop = {
  'package.json': JSON.stringify({ name: 'shop', type: 'module' }),
  'src/greet.js': 'export const greet = (name) => `Hi, ${name}`;\n',
  // It writes what is there already: that is no stranger's doing.
  [file]: `import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { greet } from '../src/greet.js';

test('greets Ada', () => {
  // as people do
  assert.equal(greet('Ada'), 'Hi, Ada');
});

test('keeps its data', () => {
  writeFileSync(new URL('../data/big.bin', import.meta.url), 'x');
});
`,
  'tests/other.test.js': `import { test } from 'node:test';\n\ntest('is there', () => {});\n`,
  'tests/more.test.js': `import { test } from 'node:test';\n\ntest('is more', () => {});\n`,
  'data/big.bin': 'x',
};
/** As long as the former one, so that only its content tells it. */
const changed = shop['src/greet.js'].replace('Hi', 'Yo');

/** What the scripts have: `sneak` writes with the size and the time that were there before. */
const tools = `const fs = require('node:fs'), path = require('node:path'), { spawn, spawnSync } = require('node:child_process');
const [, , taskFile, user, told] = process.argv;
const sneak = (name, from, to) => {
  const { atimeMs, mtimeMs } = fs.statSync(name);
  fs.writeFileSync(name, fs.readFileSync(name, 'utf8').replace(from, to));
  fs.utimesSync(name, atimeMs / 1000, mtimeMs / 1000);
};
const comment = () => sneak('${file}', '// as people do', '// as people DO');
const attempt = (work) => { try { work(); } catch {} };
const tell = (name, text) => fs.writeFileSync(path.join(told, name), text);
`;

describe('an agent that means harm', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  let folder = '';
  /** Of the last cycle; was nothing of the agent seen before? */
  let warnings: { readonly text: string; readonly isBefore: boolean }[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-agent-'));
    workspace = await temporaryWorkspace(shop, { git: true });
    await workspace.write('src/greet.js', changed);
    await workspace.write('node_modules/dep/index.js', 'theirs');
    await workspace.write('node_modules/dep/package.json', '{"name":"dep"}');
    await workspace.write('node_modules/.bin/tool', 'theirs');
  });
  afterEach(async () => {
    await workspace.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function cycle(
    script: string,
    jail: NonNullable<AgentOptions['jail']>,
    writes: readonly string[] = [],
  ): Promise<CycleReport> {
    const [program, told] = [path.join(folder, 'agent.cjs'), path.join(folder, 'told')];
    await mkdir(told, { recursive: true });
    await writeFile(program, tools + script);
    const agent = {
      name: 'mallory',
      command: process.execPath,
      words: [program, '{taskFile}', workspace.root, told],
    };
    const access = { reads: [], writes: [told, ...writes] };
    const before = await contents();
    warnings = [];
    const request = {
      providers: [agentProvider({ agent, timeoutMs: 20_000, jail, access })],
      assume: 'source-is-right',
      maxIterations: 2,
    } as const;
    const report = await mendWorkspace(workspace, request, (event) => {
      if (event.type === 'warned')
        warnings.push({ text: event.text, isBefore: readdirSync(told).length === 0 });
    });
    assert.deepEqual(await contents(), before, 'the files of the user are as they were');
    return report;
  }
  async function attack(script: string, jail: NonNullable<AgentOptions['jail']>): Promise<CycleReport> {
    const report = await cycle(script, jail);
    assert.equal(report.patch, '');
    assert.deepEqual(
      report.fixes.filter(({ verdict }) => verdict.verdict === 'verified').map(({ title }) => title),
      [],
    );
    assert.notEqual(report.status, 'passed');
    return report;
  }
  /** But for what git keeps of times. */
  async function contents(): Promise<readonly (readonly [string, string | undefined])[]> {
    const tree = Object.entries(await treeSnapshot(workspace.root));
    return tree
      .filter(([name]) => !name.startsWith('.git'))
      .map(([name, state]) => [name, state.split(' ').slice(2).join(' ')]);
  }
  /** A folder with these and nothing else. */
  async function programsOf(names: readonly string[]): Promise<string> {
    const programs = path.join(folder, 'programs');
    await mkdir(programs);
    for (const name of names) {
      const target = name === 'node' ? process.execPath : programOnPath([name]);
      if (target !== undefined) await symlink(target, path.join(programs, name));
    }
    return programs;
  }
  const told = (name: string): Promise<string | undefined> =>
    readFile(path.join(folder, 'told', name), 'utf8').catch(() => undefined);
  /** With a jail where there is one, and without. */
  let kinds: readonly ('required' | 'off')[] = [];
  before(async () => {
    kinds = (await jailsHere()).length > 0 ? ['required', 'off'] : ['off'];
  });

  const rewriting = `
    sneak('src/greet.js', 'Yo', 'Hi');
    comment();
    for (const name of ['node_modules/dep/index.js', 'node_modules/.bin/tool']) attempt(() => fs.writeFileSync(name, 'harm'));
    attempt(() => fs.rmSync('node_modules/dep/package.json'));
    attempt(() => fs.symlinkSync('/etc/passwd', 'node_modules/dep/link'));`;

  it('has its comment taken for no fix, and reaches no package of the user, with a jail and without', async () => {
    for (const jail of kinds) {
      const report = await attack(rewriting, jail);
      assert.match(report.notes.join('\n'), /mallory also wrote src\/greet\.js; these changes were dropped/);
      assert.match(report.fixes.map(({ verdict }) => verdict.reason).join('\n'), /"greets Ada" still fails/);
      assert.equal(/without a jail/.test(report.notes.join('\n')), jail === 'off');
    }
  });

  it('leaves no process behind that could go on, with a jail and without', async () => {
    const mark = `987652.${process.pid}`;
    const loop = `while :; do for file in ../../../*/*/src/greet.js ../../*/*/src/greet.js src/greet.js; do [ -e "$file" ] && sed -i s/Yo/Hi/ "$file"; done; sleep 0.05; done # ${mark}`;
    const script = `
      comment();
      const loop = ${JSON.stringify(loop)};
      spawn('env', ['-i', 'setsid', 'sh', '-c', loop], { detached: true, stdio: 'ignore' }).unref();
      spawn('sh', ['-c', 'nohup env -i setsid sh -c "$1" >/dev/null 2>&1 </dev/null & exit', 'sh', loop], { stdio: 'ignore' });
      setTimeout(() => {}, 500);`;
    for (const jail of kinds) {
      await attack(script, jail);
      assert.deepEqual(running(mark), []);
    }
  });

  it('makes no verdict and no file of the user other by a process that no mark, folder or open file tells of', async () => {
    const mark = `987653.${process.pid}`;
    const poison = `setInterval(() => {
      const fs = require('node:fs');
      let copies = [];
      try { copies = fs.readdirSync(process.argv[1]); } catch {}
      for (const copy of copies) {
        let tops = [];
        try { tops = fs.readdirSync(process.argv[1] + '/' + copy); } catch {}
        for (const top of tops) {
          const file = [process.argv[1], copy, top, 'src/greet.js'].join('/');
          try {
            const { atimeMs, mtimeMs } = fs.statSync(file);
            const text = fs.readFileSync(file, 'utf8');
            if (!text.includes('Yo')) continue;
            fs.writeFileSync(file, text.replace('Yo', 'Hi'));
            fs.utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
          } catch {}
        }
      }
    }, 1)`;
    const script = `
      comment();
      const poison = ${JSON.stringify(poison)};
      spawnSync('sh', ['-c', 'cd / && env -i setsid "$0" -e "$1" "$2" ${mark} >/dev/null 2>&1 </dev/null &', process.execPath, poison, path.resolve('../..')], { stdio: 'ignore' });
      setTimeout(() => {}, 500);`;
    const { PATH = '' } = process.env;
    try {
      await attack(script, 'off');
      assert.deepEqual(running(mark), [], 'where there is a Python, it is found by its ancestor');
      process.env['PATH'] = await programsOf(['node', 'git', 'sh', 'env', 'setsid', 'bwrap', 'unshare']);
      assert.match(
        (await attack(script, 'off')).notes.join('\n'),
        /ended early: Another process wrote src\/greet\.js in the sandbox while the tests ran, so the results of this run do not count./,
      );
      assert.notDeepEqual(running(mark), [], 'it was there');
    } finally {
      process.env['PATH'] = PATH;
      for (const pid of running(mark)) process.kill(Number(pid), 'SIGKILL');
    }
  });

  it('makes no verdict other by a process that writes only while the tests run, and puts everything back', async () => {
    const mark = `987651.${process.pid}`;
    // The wrong source lies there most of the time; times and content are right again before the end of each run.
    const poison = `const fs = require('node:fs');
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    const list = (folder) => { try { return fs.readdirSync(folder).map((name) => folder + '/' + name); } catch { return []; } };
    const put = (file, from, to) => {
      try {
        const { atimeMs, mtimeMs } = fs.statSync(file);
        const text = fs.readFileSync(file, 'utf8');
        if (!text.includes(from)) return;
        fs.writeFileSync(file, text.replace(from, to));
        fs.utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
      } catch {}
    };
    const runner = () => list('/proc').find((folder) => {
      try { return fs.readlinkSync(folder + '/cwd').startsWith(process.argv[1] + '/') && fs.readlinkSync(folder + '/exe') === process.execPath; } catch { return false; }
    });
    for (;;) {
      const files = list(process.argv[1]).flatMap(list).map((top) => top + '/src/greet.js');
      const running = runner();
      if (running !== undefined) {
        for (const file of files) put(file, 'Yo', 'Ho');
        wait(200);
        for (const file of files) put(file, 'Ho', 'Yo');
        while (fs.existsSync(running)) wait(2);
      }
      wait(2);
    }`;
    const script = `
      sneak('${file}', "'Hi, Ada'", "'Ho, Ada'");
      const poison = ${JSON.stringify(poison)};
      spawnSync('sh', ['-c', 'cd / && env -i setsid "$0" -e "$1" "$2" ${mark} >/dev/null 2>&1 </dev/null &', process.execPath, poison, path.resolve('../..')], { stdio: 'ignore' });
      setTimeout(() => {}, 500);`;
    const { PATH = '' } = process.env;
    try {
      process.env['PATH'] = await programsOf(['node', 'git', 'sh', 'env', 'setsid', 'bwrap', 'unshare']);
      const report = await attack(script, 'off');
      assert.match(
        report.notes.join('\n'),
        /Another process wrote src\/greet\.js in the sandbox while the tests ran/,
      );
    } finally {
      process.env['PATH'] = PATH;
      for (const pid of running(mark)) process.kill(Number(pid), 'SIGKILL');
    }
  });

  it('writes to no file of the user by its path, and sees neither their secrets nor our folders', async function () {
    if (!kinds.includes('required')) this.skip();
    process.env['TESTMEND_MODEL_KEY'] = 'sk-model-key-of-the-user';
    try {
      await attack(
        `
      comment();
      const home = require('node:os').homedir();
      for (const name of ['${file}', 'src/greet.js', 'node_modules/dep/index.js', '.git/config', '.git/hooks/post-checkout', 'new.js'])
        attempt(() => fs.writeFileSync(path.join(user, name), 'harm'));
      attempt(() => fs.writeFileSync(path.join(home, '.testmend-harm'), 'harm'));
      attempt(() => fs.rmSync(user, { recursive: true, force: true }));
      // Beside our copy lie those that verdicts come from.
      const copies = path.resolve('../..');
      attempt(() => { for (const name of fs.readdirSync(copies)) if (!process.cwd().includes(name)) tell('copies', name); });
      tell('environment', JSON.stringify(process.env) + fs.readdirSync('/proc').filter(Number).map((pid) => {
        try { return fs.readFileSync('/proc/' + pid + '/environ', 'latin1'); } catch { return ''; }
      }).join());
      attempt(() => tell('home', fs.readdirSync(home).join()));
      attempt(() => tell('user', fs.readFileSync(path.join(user, 'src/greet.js'), 'utf8')));`,
        'required',
      );
    } finally {
      delete process.env['TESTMEND_MODEL_KEY'];
    }
    const environment = (await told('environment')) ?? '';
    assert.match(environment, /PATH/);
    assert.doesNotMatch(environment, /sk-model-key|TESTMEND_(?!RUN)/);
    assert.equal(await told('copies'), undefined);
    assert.equal(await told('user'), undefined);
    assert.equal((await readdir(os.homedir())).includes('.testmend-harm'), false);
  });

  it('makes us read nothing but files of its copy: no link, no pipe, no device, nothing huge, no git of its own', async function () {
    if (!kinds.includes('required')) this.skip();
    await writeFile(path.join(folder, 'secret.js'), 'secret of the user');
    const mark = path.join(folder, 'told', 'git-ran');
    const report = await attack(
      `
      const here = process.cwd();
      const secret = path.join(told, '../secret.js');
      fs.rmSync('tests/other.test.js');
      fs.symlinkSync(secret, 'tests/other.test.js');
      fs.rmSync('tests/more.test.js');
      spawnSync('mkfifo', ['tests/more.test.js']);
      spawnSync('mknod', ['tests/device.test.js', 'c', '1', '5']);
      spawnSync('truncate', ['-s', '20G', 'data/big.bin']);
      fs.writeFileSync('${file}', fs.readFileSync('${file}', 'utf8') + '// more\\n'.repeat(400_000));
      fs.symlinkSync('/', 'everything');
      let deep = '.';
      attempt(() => { for (let i = 0; i < 300; i++) { fs.mkdirSync('deep-enough-name'); process.chdir('deep-enough-name'); } });
      process.chdir(here);
      fs.mkdirSync('locked'); fs.writeFileSync('locked/x', ''); fs.chmodSync('locked', 0);
      fs.writeFileSync('.git/config', '[core]\\n\\tfsmonitor = "touch ${mark}"\\n\\thooksPath = hooks\\n');
      fs.mkdirSync('hooks'); fs.writeFileSync('hooks/post-checkout', '#!/bin/sh\\ntouch ${mark}\\n', { mode: 0o755 });
      fs.writeFileSync('.gitattributes', '* filter=x\\n');
      tell('done', '');`,
      'required',
    );
    assert.equal(await told('done'), '');
    assert.equal(await told('git-ran'), undefined);
    assert.doesNotMatch(JSON.stringify(report), /secret of the user/);
    assert.match(report.notes.join('\n'), /mallory also wrote /);
    assert.deepEqual(await readdir(path.join(folder)), ['agent.cjs', 'secret.js', 'told']);
  });

  it('writes nothing of the workspace, though a place in it is named as one that it may write', async function () {
    if (!kinds.includes('required')) return this.skip();
    const link = path.join(folder, 'link');
    await symlink(path.join(workspace.root, 'src'), link);
    const script = `
      const write = (name) => attempt(() => { fs.mkdirSync(path.dirname(name), { recursive: true }); fs.writeFileSync(name, 'harm'); });
      write(path.join(user, '.git/hooks/post-checkout'));
      write(path.join(user, 'src/greet.js'));
      write(${JSON.stringify(`${link}/greet.js`)});
      tell('done', '');`;
    const writes = [path.join(workspace.root, '.git'), path.join(workspace.root, 'src'), link];
    await cycle(script, 'required', writes);
    assert.equal(await told('done'), '');
    assert.deepEqual(
      await readdir(path.join(workspace.root, '.git/hooks')).then((names) =>
        names.filter((name) => !name.endsWith('.sample')),
      ),
      [],
    );
  });

  it('can work as it is used to: run the tests, import the packages, look at the history', async () => {
    const script = `
      const run = () => spawnSync(process.execPath, ['--test', '${file}']).status;
      const before = run();
      sneak('${file}', "'Hi,", "'Yo,");
      const git = spawnSync('git', ['diff', '--stat']).stdout.toString();
      tell('work', [before, run(), fs.readFileSync('node_modules/dep/index.js', 'utf8'), /greet.test.js/.test(git)].join());`;
    for (const jail of kinds) {
      const report = await cycle(script, jail);
      assert.match(report.patch, /^\+ {2}assert\.equal\(greet\('Ada'\), 'Yo, Ada'\);$/m);
      assert.equal(report.status, 'passed');
      assert.equal(await told('work'), '1,0,theirs,true');
    }
  });

  it('is not started where a jail is required and there is none, and is told of else', async () => {
    const { PATH } = process.env;
    process.env['PATH'] = await programsOf(['node', 'git']);
    try {
      const refused = await attack(`tell('started', '');`, 'required');
      assert.match(
        refused.notes.join('\n'),
        /mallory was not started, because no jail is available on this machine\. Install bubblewrap/,
      );
      assert.equal(await told('started'), undefined);
      const report = await attack(`tell('started', '');`, 'auto');
      assert.match(
        report.notes.join('\n'),
        /mallory runs without a jail, because none is available on this machine: .* with your permissions/,
      );
      assert.equal(await told('started'), '');
      const text = report.notes.find((note) => note.includes('without a jail')) ?? '';
      assert.deepEqual(warnings, [{ text, isBefore: true }]);
    } finally {
      process.env['PATH'] = PATH;
    }
  });
});

function running(words: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(words);
    } catch {
      return false;
    }
  });
}
