// How package.json scripts start mocha, read without a shell.
import assert from 'node:assert/strict';
import { mochaStart } from '../../../../src/core/frameworks/mocha/mochaPlan.ts';
import { shellCommands } from '../../../../src/core/frameworks/shellWords.ts';
import { isStartedBy, testCommands } from '../../../../src/core/frameworks/testScripts.ts';

const words = (script: string): readonly string[][] =>
  shellCommands(script).map((command) => command.map(({ text }) => text));
const draw = (scripts: Record<string, string>): readonly string[] =>
  testCommands(scripts, mochaStart).map(({ script, words: own, nodeFlags, env }) =>
    [
      `${script ?? ''}:`,
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      ...nodeFlags,
      'mocha',
      ...own.map(({ text }) => text),
    ].join(' '),
  );

describe('shellCommands', () => {
  it('splits at what joins commands, keeps quotes together, and drops redirections', () => {
    assert.deepEqual(words(`a 'b c' "d \\"e\\" $f" g\\ h && i | j; k 2>&1 >out.txt # rest`), [
      ['a', 'b c', 'd "e" $f', 'g h'],
      ['i'],
      ['j'],
      ['k'],
    ]);
    assert.deepEqual(words(`a"b"'c' ""`), [['abc', '']]);
    assert.deepEqual(words(''), []);
    assert.deepEqual(words(`a 'open`), [['a', 'open']]);
  });

  it('knows unquoted patterns from quoted ones, and what only a shell fills in', () => {
    const [command = []] = shellCommands(`x *.js '*.js' "$A" '$A' \`b\` $(c)`);
    assert.deepEqual(
      command.map(({ text, glob, computed }) => [text, glob, computed]),
      [
        ['x', false, false],
        ['*.js', true, false],
        ['*.js', false, false],
        ['$A', false, true],
        ['$A', false, false],
        ['`b`', false, true],
        ['$', false, true],
      ],
    );
  });
});

describe('mochaCommands', () => {
  it('takes arguments, variables and flags of node from the script test', () => {
    assert.deepEqual(
      draw({
        test: 'eslint . && NODE_ENV=test mocha --require test/support/env --reporter spec test/ "test/a b/"',
      }),
      ['test: NODE_ENV=test mocha --require test/support/env --reporter spec test/ test/a b/'],
    );
    assert.deepEqual(draw({ test: 'cross-env A=1 B="x y" nyc --reporter=lcov mocha -R dot' }), [
      'test: A=1 B=x y mocha -R dot',
    ]);
    assert.deepEqual(draw({ test: 'c8 node --import tsx -r ./a.js ./node_modules/.bin/mocha test/*.ts' }), [
      'test: --import=tsx --require=./a.js mocha test/*.ts',
    ]);
    assert.deepEqual(draw({ test: 'node node_modules/mocha/bin/mocha.js -t 5' }), ['test: mocha -t 5']);
    assert.deepEqual(draw({ test: 'istanbul cover _mocha -- -R spec' }), ['test: mocha -R spec']);
  });

  it('follows scripts that run scripts, once each', () => {
    const scripts = {
      test: 'npm run lint && npm run test:unit -- --retries 2 && run-s test:b:*',
      'test:unit': 'mocha test/unit && npm test',
      'test:b:one': 'mocha one',
      'test:b:two': 'mocha two',
      'test:e2e': 'mocha e2e',
      lint: 'eslint .',
    };
    assert.deepEqual(draw(scripts), [
      'test:unit: mocha test/unit --retries 2',
      'test:b:one: mocha one',
      'test:b:two: mocha two',
    ]);
  });

  it('takes along the variables of the scripts on the way, but not ours and none that waits for a debugger', () => {
    const scripts = {
      test: `export LANG=en && TZ=UTC cross-env A=1 TESTMEND_TOKEN=x B=$C npm run unit`,
      unit: `NODE_OPTIONS="--inspect-brk --no-warnings" node --inspect ./node_modules/.bin/mocha`,
    };
    assert.deepEqual(draw(scripts), ['unit: LANG=en TZ=UTC A=1 NODE_OPTIONS=--no-warnings mocha']);
  });

  it('falls back to scripts named after tests, then to the first that starts mocha', () => {
    assert.deepEqual(
      draw({ test: 'eslint .', 'test:a': 'mocha a', 'test:watch': 'mocha -w a', 'test-b': 'mocha b' }),
      ['test:a: mocha a', 'test-b: mocha b'],
    );
    assert.deepEqual(draw({ spec: 'mocha a', other: 'mocha b' }), ['spec: mocha a']);
  });

  it('does not take a word for a start', () => {
    for (const script of [
      'npm install mocha',
      'eslint test/mocha',
      'echo mocha',
      'vitest run',
      'rm -rf mocha',
      'mochapack',
    ])
      assert.equal(isStartedBy({ test: script }, mochaStart), false, script);
    assert.equal(isStartedBy({ test: 'npx mocha' }, mochaStart), true);
  });

  it('names what only a shell could fill in', () => {
    const [command] = testCommands({ test: 'A=$B mocha --grep "$FILTER" test' }, mochaStart);
    assert.deepEqual(command?.notUnderstood, ['A=$B', '$FILTER']);
  });
});
