// Values recorded inside real jest runs: through babel, through ts-jest, as plain CommonJS and as ES modules.
import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { captureValues } from '../../../src/core/diagnosis/captureValues.ts';
import { detectProjects } from '../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../src/core/frameworks/registry.ts';
import type { Selection } from '../../../src/core/model/frameworkProject.ts';
import type { RunSummary } from '../../../src/core/model/testResult.ts';
import type { CapturedAssertion, Value } from '../../../src/core/model/value.ts';
import { runTests } from '../../../src/core/run/runTests.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { writerIn } from '../../support/writerIn.ts';

const modules = path.resolve(import.meta.dirname, '../../../node_modules');

/** Files that assert by what node has once for all of a process: more than there are processes. */
const sharing = ['one', 'two', 'three'];

const files = {
  'package.json': JSON.stringify({
    name: 'shop',
    devDependencies: { jest: '*' },
    jest: {
      projects: [
        { displayName: 'babel', testMatch: ['<rootDir>/babel/*.js'] },
        {
          displayName: 'types',
          testMatch: ['<rootDir>/types/*.ts'],
          transform: { '\\.ts$': ['ts-jest', { tsconfig: { strict: true } }] },
        },
        { displayName: 'plain', testMatch: ['<rootDir>/plain/*.cjs'], transform: {} },
      ],
    },
  }),
  'babel.config.json': '{"presets":[["@babel/preset-env",{"targets":{"node":"current"}}]]}',
  'src/shop.js': `export const greet = (name) => 'Hello, ' + name;
export const fail = (what) => { throw new RangeError('not ' + what); };
export const later = async (value) => ({ value, tags: ['new'] });
`,
  'babel/greet.test.js': `/**
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import assert from 'node:assert';
import { fail, greet, later } from '../src/shop.js';
jest.mock('node:fs');

describe('greeting', () => {
  it('greets', () => { expect(greet('Ada')).toBe('Hi, Ada'); });
  it('is later', async () => {
    await expect(later(2)).resolves.toEqual({ value: expect.any(Number), tags: ['old'] });
  });
  it('is not', () => { expect(greet('Bob')).not.toEqual('Hello, Bob'); });
  it('has', () => {
    expect({ sizes: [{ width: 3 }] }).toHaveProperty('sizes[0].width', 2);
  });
  it('asserts', () => { assert.deepStrictEqual([greet('Cy')], ['Hi, Cy']); });
  it('catches its own', () => {
    try { expect(greet('Di')).toBe('never'); } catch { /* on purpose */ }
    expect(greet('Di')).toBe('Hi, Di');
  });
  it('has many', async () => {
    expect(greet('Ed')).toBe('Hi, Ed');
    expect(() => fail('d')).toThrow('no d');
    await expect(later(1).then(() => fail('e'))).rejects.toThrow('no e');
    assert.equal(greet('Flo'), 'Hi, Flo');
  });
  it('throws', () => { expect(() => fail('a')).toThrow('no a'); });
  it('rejects', async () => { await expect(later(1).then(() => fail('b'))).rejects.toThrow(/no b/); });
  it('throws nothing', () => { expect(() => greet('x')).toThrow('no'); });
  it('asserts throws', () => { assert.throws(() => fail('c'), { name: 'RangeError', message: 'no c' }); });
  it('calls', () => {
    const log = jest.fn();
    log(greet('Ed'), 1);
    expect(log).toHaveBeenCalledWith('Hi, Ed', expect.any(Number));
  });
  it('counts calls', () => {
    const log = jest.fn();
    log();
    expect(log).toHaveBeenCalledTimes(2);
  });
  it('mocks', () => { expect(readFileSync('x')).toBe(undefined); });
});
describe('a b', () => { it('c', () => { expect(greet('1')).toBe('Hi, 1'); }); });
describe('a', () => {
  it('b c', () => {
    expect(greet('2')).toBe('Hi, 2');
  });
});
`,
  'types/total.test.ts': `import { expect, it } from '@jest/globals';
const total = (items: number[]): number => items.reduce((a, b) => a + b, 0);
it('adds', () => { expect(total([1, 2])).toEqual(4); });
`,
  'plain/sloppy.test.cjs': `'use strict';
const assert = require('node:assert');
it('is strict', () => { assert.equal((function () { return this; })(), undefined); });
it('adds', () => { assert.equal(1 + 1, 3); });
`,
  ...Object.fromEntries(
    sharing.map((name) => [
      `babel/${name}.test.js`,
      `const { equal } = require('node:assert');
const { greet } = require('../src/shop.js');
it('greets ${name}', () => {
  equal(
    greet('${name}'),
    'Hi, ${name}',
  );
});
`,
    ]),
  ),
};

describe('values captured in jest', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let first: RunSummary;
  let captured: ReadonlyMap<string, readonly CapturedAssertion[]>;

  const run = async (selection: Selection, env: Record<string, string>): Promise<RunSummary> => {
    const { projects } = await detectProjects(workspace.root);
    const limits = { timeoutMs: 60_000, skillTimeoutMs: 20_000, maxParallel: 2 };
    return runTests({
      workspace: { root: workspace.root, limits, frameworks: [], cacheFolder: workspace.root },
      projects,
      selection,
      frameworks: (framework) => frameworkOf({ framework }),
      env,
    });
  };

  before(async () => {
    workspace = await temporaryWorkspace(files);
    await mkdir(path.join(workspace.root, 'node_modules'));
    for (const name of ['jest', 'ts-jest', 'typescript', '@babel', '@jest', '@types', 'babel-jest'])
      await symlink(path.join(modules, name), path.join(workspace.root, 'node_modules', name));
    first = await run({}, {});
    captured = await captureValues({
      root: workspace.root,
      write: writerIn(workspace.root),
      results: first.tests,
      run,
    });
  });
  after(() => workspace.dispose());

  const ofTest = (name: string): readonly CapturedAssertion[] => {
    const result = first.tests.find((test) => test.id.endsWith(`#${name}`) && test.outcome === 'failed');
    assert.ok(result, `${name} does not fail`);
    return captured.get(result.id) ?? [];
  };
  const sides = (name: string): unknown[] =>
    ofTest(name).flatMap(({ matcher, expected, actual }) => [matcher, plain(expected), plain(actual)]);

  it('are those of the failing matcher, whatever else the test caught or mocked', () => {
    assert.deepEqual(sides('greeting › greets'), ['toBe', 'Hi, Ada', 'Hello, Ada']);
    assert.deepEqual(sides('greeting › catches its own'), ['toBe', 'Hi, Di', 'Hello, Di']);
    assert.deepEqual(sides('greeting › has'), ['toHaveProperty', '2', '3']);
    assert.deepEqual(sides('greeting › asserts'), ['deepStrictEqual', ['Hi, Cy'], ['Hello, Cy']]);
    assert.deepEqual(sides('greeting › is not'), ['toEqual', 'Hello, Bob', 'Hello, Bob']);
    assert.equal(ofTest('greeting › is not')[0]?.negated, true);
    assert.ok(first.tests.some((test) => test.title === 'mocks' && test.outcome === 'passed'));
  });

  it('are all that fail, one after the other', () => {
    assert.deepEqual(
      ofTest('greeting › has many').map(({ matcher, actual }) => [matcher, plain(actual)]),
      [
        ['toBe', 'Hello, Ed'],
        ['toThrow', 'not d'],
        ['toThrow', 'not e'],
        ['equal', 'Hello, Flo'],
      ],
    );
  });

  it('are there for promises, with the place of the call', () => {
    const [later] = ofTest('greeting › is later');
    assert.match(JSON.stringify(later?.expected), /asymmetric matched/);
    assert.match(JSON.stringify(later?.actual), /"new"/);
    assert.match(later?.stack ?? '', /greet\.test\.js:12:/);
  });

  it('have the places of their own file where several of a process share node:assert', () => {
    for (const name of sharing) {
      const [place] = ofTest(`greets ${name}`)[0]?.stack.match(/\w+\.test\.js:\d+/) ?? [];
      assert.equal(place, `${name}.test.js:4`);
    }
  });

  it('tell what was thrown, and that nothing was', () => {
    const thrownIn = (name: string): unknown => {
      const [one] = ofTest(name);
      return one?.kind === 'error' ? one.thrown : undefined;
    };
    const fits = { fits: true, className: 'RangeError' };
    assert.deepEqual(sides('greeting › throws'), ['toThrow', 'no a', 'not a']);
    assert.deepEqual(thrownIn('greeting › throws'), fits);
    assert.deepEqual(sides('greeting › rejects'), ['toThrow', '/no b/', 'not b']);
    assert.deepEqual(thrownIn('greeting › rejects'), fits);
    assert.deepEqual(sides('greeting › asserts throws'), ['throws', 'no c', 'not c']);
    assert.deepEqual(thrownIn('greeting › asserts throws'), fits);
    assert.deepEqual(thrownIn('greeting › throws nothing'), { fits: false });
  });

  it('tell the calls of a mock', () => {
    const [call] = ofTest('greeting › calls');
    assert.deepEqual(sides('greeting › calls'), [
      'toHaveBeenCalledWith',
      ['Hi, Ed', 'opaque'],
      ['Hello, Ed', '1'],
    ]);
    assert.equal(call?.kind === 'calls' && call.calls.length, 1);
    assert.deepEqual(sides('greeting › counts calls'), ['toHaveBeenCalledTimes', '2', '1']);
  });

  it('belong to the right one of two tests whose joined names are the same', () => {
    assert.deepEqual(sides('a b › c'), ['toBe', 'Hi, 1', 'Hello, 1']);
    assert.deepEqual(sides('a › b c'), ['toBe', 'Hi, 2', 'Hello, 2']);
  });

  it('are there in TypeScript and in CommonJS, which stays strict', () => {
    const adds = first.tests.filter(({ title }) => title === 'adds').map(({ id }) => captured.get(id) ?? []);
    assert.deepEqual(
      new Set(adds.map(([one]) => one && [one.matcher, plain(one.expected), plain(one.actual)].join(' '))),
      new Set(['equal 3 2', 'toEqual 4 3']),
    );
    assert.ok(first.tests.some((test) => test.title === 'is strict' && test.outcome === 'passed'));
  });
});

function plain(value: Value): unknown {
  if (value.kind === 'string') return value.value;
  if (value.kind === 'number') return value.text;
  if (value.kind === 'regexp') return `/${value.source}/`;
  return value.kind === 'array' ? value.items.map(plain) : value.kind;
}
