// A table of CommonJS modules in the forms that people write, each in a real repository: a renamed member is followed in every one.
import assert from 'node:assert/strict';
import { itMends, type ImportSituation } from './importSituation.ts';

const body = `(code, options) {
  const lines = [code.name, code.message];
  for (const key of Object.keys(options)) lines.push(key + '=' + options[key]);
  return lines.join('\\n');
}
`;
const declared = (name: string): string => `function ${name} ${body}`;
const create = `function createError (code) {\n  if (!code) throw new Error('no code');\n  return { code, name: 'E' };\n}\n`;

/** Forms of a module that exports a function under the name `X`. */
const forms: Readonly<Record<string, string>> = {
  'a function with a member': `${create}${declared('X')}module.exports = createError;\nmodule.exports.X = X;\n`,
  'a function, its default and its own name': `${create}${declared('X')}createError.captures = true;\nmodule.exports = createError;\nmodule.exports.X = X;\nmodule.exports.default = createError;\nmodule.exports.createError = createError;\n`,
  'members of a function by its name': `${create}createError.X = ${declared('')}module.exports = createError;\n`,
  'members of exports': `exports.X = X;\n${declared('X')}`,
  'a list of names': `${create}${declared('X')}module.exports = { createError, X };\n`,
  'methods of an object': `module.exports = {\n  X ${body.trim()},\n  other: 1,\n};\n`,
  'members that are assigned together': `${create}${declared('X')}module.exports = createError;\nObject.assign(module.exports, { X, two: 2 });\n`,
  'both names at once': `exports = module.exports = createApp;\nfunction createApp () { return {}; }\nexports.X = ${declared('')}`,
  'another name of exports': `const api = module.exports = {};\napi.X = ${declared('')}`,
  'a getter': `${declared('X')}Object.defineProperty(exports, 'X', { enumerable: true, get: function () { return X; } });\n`,
  'several getters': `${declared('X')}Object.defineProperties(exports, { X: { get: () => X }, version: { value: '1' } });\n`,
  'a compiled module': `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.other = exports.X = void 0;\n${declared('X')}exports.X = X;\nexports.other = 1;\n`,
  'a class with statics': `class Tool {\n  static X ${body.trim()}\n}\nmodule.exports = Tool;\n`,
  'an object of a variable': `const api = { one: 1 };\n${declared('X')}api.X = X;\nmodule.exports = Object.freeze(api);\n`,
};

const situation = (
  title: string,
  text: string,
  test: string,
  rest: Partial<ImportSituation> = {},
): ImportSituation => ({
  title,
  files: { 'package.json': '{ "name": "lib" }', 'index.js': text.replaceAll('X', 'formatError') },
  written: { 'index.js': text.replaceAll('X', 'printError') },
  testFile: 'test/a.test.js',
  test,
  check: ({ trust, evidence }) => assert.equal(trust, 'mechanical', evidence.join('\n')),
  mended: test.replaceAll('formatError', 'printError'),
  ...rest,
});

const uses = `const { formatError } = require('..');
const lib = require('../index.js');
it('a', () => formatError(1, {}));
it('b', () => lib.formatError(1, {}));
it('c', () => require('..').formatError(1, {}));
it('d', () => lib['formatError'].call(null, 1, {}));
`;

describe('a renamed member of a CommonJS module', () => {
  for (const [title, text] of Object.entries(forms))
    itMends(situation(`is followed in ${title}`, text, uses));

  const [first = ''] = Object.values(forms);
  itMends(situation('is followed when the change was just committed', first, uses, { isCommitted: true }));
  itMends(
    situation(
      'is followed through a default import, of which it is a member',
      first,
      `import lib from '../index.js';\nimport * as all from '../index.js';\nit('a', () => lib.formatError(1, {}));\nit('b', () => all.default.formatError(1, {}));\n`,
      { testFile: 'test/a.test.mjs' },
    ),
  );
  itMends(
    situation(
      'is followed in a module that one of two others stands for, as only a run tells',
      `if (process.browser) {\n  module.exports = require('./browser.js');\n} else {\n  module.exports = require('./node.js');\n}\n`,
      uses,
      {
        files: {
          'index.js': `if (process.browser) {\n  module.exports = require('./browser.js');\n} else {\n  module.exports = require('./node.js');\n}\n`,
          'browser.js': `exports.formatError = (e) => console.log(e);\nexports.load = () => localStorage.getItem('debug');\n`,
          'node.js': `exports.formatError = formatError;\n${declared('formatError')}`,
        },
        written: { 'node.js': `exports.printError = printError;\n${declared('printError')}` },
      },
    ),
  );
  const made = (name: string): string =>
    `function setup (env) {\n  createDebug.${name} = ${name};\n  Object.keys(env).forEach(key => { createDebug[key] = env[key]; });\n  function createDebug (namespace) { return namespace; }\n  ${declared(name).trim()}\n  return createDebug;\n}\nmodule.exports = setup;\n`;
  const setup = {
    files: {
      'index.js': `module.exports = require('./node.js');\n`,
      'node.js': `exports.log = (e) => e;\nmodule.exports = require('./common')(exports);\n`,
      'common.js': made('formatError'),
    },
    written: { 'common.js': made('printError') },
  };
  itMends(
    situation('is followed into what a function makes, when the test says that it is not there', '', uses, {
      ...setup,
      says: 'TypeError: lib.formatError is not a function',
    }),
  );
  itMends(
    situation(
      'is only proposed there when the test does not say so: it may have been given by a run',
      '',
      uses,
      {
        ...setup,
        check: ({ trust, evidence }) => {
          assert.equal(trust, 'propose');
          assert.match(evidence.join('\n'), /formatError may still exist/);
        },
      },
    ),
  );
  itMends(
    situation('is only proposed when another source still takes it from there', first, uses, {
      files: {
        'index.js': first.replaceAll('X', 'formatError'),
        'types/index.tst.ts': `import { formatError } from '..';\nformatError(1, {});\n`,
        'other.js': `const lib = require('./index');\nexports.say = (e) => lib.formatError(e, {});\n`,
      },
      check: ({ trust, evidence }) => {
        assert.equal(trust, 'propose');
        assert.match(evidence.join('\n'), /Line 2 of other\.js still imports formatError/);
      },
    }),
  );
  itMends(
    situation('is only proposed when a source uses it of a module that a run names', first, uses, {
      files: {
        'index.js': first.replaceAll('X', 'formatError'),
        'plugin.js': `module.exports = (name) => require(name).formatError(1, {});\n`,
      },
      check: ({ trust, evidence }) => {
        assert.equal(trust, 'propose');
        assert.match(evidence.join('\n'), /plugin\.js uses formatError from a module whose name is computed/);
      },
    }),
  );
  itMends(
    situation('is refused with a reason when nothing looks like it', first, uses, {
      written: { 'index.js': `${create}module.exports = createError;\n` },
      mended: undefined,
      refused: /formatError is no longer exported by index\.js/,
    }),
  );
  itMends(
    situation(
      'is no concern of who uses other members, or those of any function',
      first,
      `const lib = require('..');\nit('a', () => lib.createError.call(null, lib.name));\n`,
      {
        mended: undefined,
      },
    ),
  );
});
