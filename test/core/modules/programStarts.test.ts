// Which programs a script starts: files that are certain, and everything else as unknown.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { programStarts } from '../../../src/core/modules/programStarts.ts';

const cp = `const cp = require('node:child_process'); const path = require('path');\n`;
const named = `import { execFile, execSync, spawn, spawnSync, fork } from 'child_process';\n`;
const read = (text: string) => {
  const { files, isUnknown } = programStarts(ts, '/w/test/a.test.js', text);
  return {
    files: files.map(({ written, from }) => (from === undefined ? written : `${from}: ${written}`)),
    isUnknown,
  };
};

describe('programs that a script starts', () => {
  it('are certain where the text tells the whole path of the script', () => {
    const certain: [string, string[]][] = [
      [`${cp}cp.execSync('node src/cli.js --json');`, ['src/cli.js']],
      [`${cp}cp.spawnSync('node src/cli', { shell: true });`, ['src/cli']],
      [`${cp}cp.execSync(\`node \${path.join(__dirname, '../src/cli.js')} \${args}\`);`, ['/w/src/cli.js']],
      [`${cp}cp.execSync('node ' + __dirname + '/cli.js', { cwd: __dirname });`, ['/w/test/cli.js']],
      [
        `${cp}const bin = path.join(__dirname, 'cli.js'); cp.spawn(process.execPath, [bin, ...args], o);`,
        ['/w/test/cli.js'],
      ],
      [
        `${named}const run = promisify(execFile); await run('node', ['--no-warnings', './cli.js']);`,
        ['./cli.js'],
      ],
      [
        `${named}fork(new URL('./w.js', import.meta.url)); spawn('./bin/cli.mjs', ['-x']);`,
        ['/w/test/w.js', './bin/cli.mjs'],
      ],
      [
        `import { Worker } from 'worker_threads'; new Worker(new URL('./w.js', import.meta.url));`,
        ['/w/test/w.js'],
      ],
      [`import { execa } from 'execa'; await execa('node', ['--import', 'tsx', './cli.ts']);`, ['./cli.ts']],
      [`${cp}cp.execSync('git init'); cp.spawnSync('git', args);`, []],
      [`import type { ChildProcess } from 'child_process'; let p: ChildProcess;`, []],
      [`import { isMainThread } from 'worker_threads'; isMainThread && f();`, []],
      [`/'child_process'/.exec('node x.js'); exec('make');`, []],
      [`import { Worker } from './staff'; new Worker(name);`, []],
    ];
    for (const [text, files] of certain) assert.deepEqual(read(text), { files, isUnknown: false }, text);
  });

  it('are unknown in every other form', () => {
    const unknown = [
      `cp.execFileSync('node', [require('./package.json').bin.x]);`,
      `cp.execFileSync('node', [path.resolve(__dirname, require('./package.json').bin)]);`,
      `cp.execSync('make -s b');`,
      `cp.spawnSync('npm', ['run', 'b']);`,
      `cp.execSync('npx --no x');`,
      `cp.execSync('git init && node x.js');`,
      `cp.execSync('git log; $(pwd)/x');`,
      `cp.execSync('node -p "require(1)"');`,
      `cp.execFileSync(process.execPath, ['-e', code]);`,
      `cp.execFileSync(process.execPath, ['-r', './hook', 'x.js']);`,
      `cp.spawn(process.execPath, args);`,
      `cp.spawn(process.execPath, [...args]);`,
      `cp.execSync('node src/cli.js', { cwd: folder });`,
      `cp.execSync('node src/cli.js', options);`,
      `cp.execSync(\`node \${file}\`);`,
      `cp[name]('git');`,
      `const { spawnSync: go } = cp; run(go);`,
      `const go = cp.spawnSync; go('node', ['x.js']);`,
      `function f(bin) { cp.fork(bin); } const bin = './x.js';`,
      `jest.requireActual('child_process').fork('x.js');`,
    ];
    for (const text of unknown) assert.equal(read(cp + text).isUnknown, true, text);
    for (const text of [
      `export * from 'node:child_process';`,
      `import { $ } from 'zx'; $\`node x.js\`;`,
      `import { $ } from 'execa'; await $\`node x.js\`;`,
      `import { test } from '@playwright/test';`,
      `new Worker(name);`,
      `const { Worker } = await import('node:worker_threads'); new Worker(name);`,
    ])
      assert.equal(read(text).isUnknown, true, text);
  });
});
