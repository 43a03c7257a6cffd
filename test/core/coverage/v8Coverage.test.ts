// What V8 counts becomes coverage of the sources: places as istanbul divides them, counts added over processes and scripts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { convert } from 'ast-v8-to-istanbul';
import { parseAst } from 'vite';
import ts from 'typescript';
import { readIstanbulJson } from '../../../src/core/coverage/istanbulJson.ts';
import { coverageOfScripts } from '../../../src/core/coverage/v8Coverage.ts';
import { readV8Reports } from '../../../src/core/coverage/v8Reports.ts';
import type { FileCoverage } from '../../../src/core/model/coverage.ts';
import { body, drawFile, expected, source } from '../../support/coverageSource.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const main = (from: string): string =>
  `import { grade, Cart, wait } from '${from}';\n(async () => { ${body} })();\n`;

describe('coverage from V8', () => {
  const open: TemporaryWorkspace[] = [];
  after(() => Promise.all(open.map((one) => one.dispose())));

  const workspace = async (files: Readonly<Record<string, string>>): Promise<TemporaryWorkspace> => {
    const made = await temporaryWorkspace({ 'package.json': '{"type":"module"}', ...files });
    open.push(made);
    return made;
  };
  const start = ({ root }: TemporaryWorkspace, file: string, folder = 'counted'): string => {
    const env = { ...process.env, NODE_V8_COVERAGE: path.join(root, folder) };
    execFileSync(process.execPath, [path.join(root, file)], { cwd: root, env });
    return path.join(root, folder);
  };
  const read = async ({ root }: TemporaryWorkspace, folder = 'counted') => {
    const reports = await readV8Reports(path.join(root, folder), root);
    const { files, changed } = coverageOfScripts(reports.scripts, root, () => true);
    return { ...reports, files, changed };
  };
  const one = (files: readonly FileCoverage[], name: string): FileCoverage => {
    const [found, second] = files.filter(({ file }) => file === name);
    if (!found || second) throw new Error(`${name} among ${files.map(({ file }) => file).join(', ')}`);
    return found;
  };

  it('divides a source exactly as istanbul does', async () => {
    const shop = await workspace({ 'shape.js': source.module, 'main.js': main('./shape.js') });
    start(shop, 'main.js');
    const file = one((await read(shop)).files, 'shape.js');
    const script = scriptIn(
      await readFile(path.join(shop.root, 'counted', await onlyReport(shop.root)), 'utf8'),
      'shape.js',
    );
    const converted = await convert({
      code: source.module,
      ast: parseAst(source.module),
      coverage: script,
    });
    const [theirs] = readIstanbulJson(JSON.stringify(converted));
    assert.ok(theirs);
    assert.deepEqual(drawFile(file), drawFile(theirs));
    assert.deepEqual(drawFile(file), expected);
    // At ends of lines theirs go on for ever.
    const starts = ({ statements }: FileCoverage): string[] =>
      statements
        .map(({ span: [line, column, endLine], count }) => [line, column, endLine, count].join(':'))
        .sort();
    assert.deepEqual(starts(file), starts(theirs));
  });

  it('adds up processes, also those that load a file and call nothing of it', async () => {
    const shop = await workspace({
      'a.js': 'export function twice(x) {\n  return x ? x * 2 : 0;\n}\n',
      'one.js': "import { twice } from './a.js';\ntwice(1);\n",
      'two.js': "import { twice } from './a.js';\ntwice(0);\ntwice(2);\n",
      'none.js': "import './a.js';\n",
    });
    for (const file of ['one.js', 'two.js', 'none.js']) start(shop, file);
    const { files, read: reports } = await read(shop);
    assert.equal(reports, 3);
    assert.deepEqual(drawFile(one(files, 'a.js')), { lines: '2:3', functions: '1:3', branches: '2:2,1' });
  });

  it('leads compiled files back to their sources, also through a map beside them, and says when they are stale', async () => {
    const shop = await workspace({ 'src/shape.ts': source.typescript, 'main.js': main('./dist/shape.js') });
    const build = async (text: string): Promise<void> => {
      const { outputText, sourceMapText } = ts.transpileModule(text, {
        fileName: '../src/shape.ts',
        compilerOptions: {
          sourceMap: true,
          inlineSources: true,
          target: ts.ScriptTarget.ES2022,
          module: ts.ModuleKind.ESNext,
        },
      });
      await shop.write('dist/shape.js', outputText);
      await shop.write(
        'dist/shape.js.map',
        (sourceMapText ?? '').replace('"sources":["shape.ts"]', '"sources":["../src/shape.ts"]'),
      );
    };
    await build(source.typescript);
    start(shop, 'main.js');
    const { files, changed } = await read(shop);
    assert.deepEqual(changed, []);
    assert.deepEqual(drawFile(one(files, 'src/shape.ts')), expected);
    await shop.write('src/shape.ts', `\n${source.typescript}`);
    const stale = await read(shop);
    assert.deepEqual(stale.changed, ['src/shape.ts']);
    assert.deepEqual(
      stale.files.map(({ file }) => file).filter((file) => file.startsWith('src')),
      [],
    );
  });

  it('does not count a file that changed since it ran', async () => {
    const shop = await workspace({ 'a.js': 'console.log(1);\n' });
    start(shop, 'a.js');
    await shop.write('a.js', 'console.log(1);\nconsole.log(2);\n');
    const { files, changed } = await read(shop);
    assert.deepEqual([files, changed], [[], ['a.js']]);
  });

  it('counts from the right place behind a byte order mark, a shebang and CRLF, and skips what a comment takes out', async () => {
    const text = [
      '\uFEFF#!/usr/bin/env node',
      "'use strict';",
      'let a = process.argv.length;',
      '/* istanbul ignore next */',
      'function never() { return 1; }',
      '/* c8 ignore start */',
      'if (a > 100) a = 1;',
      '/* c8 ignore stop */',
      '/* v8 ignore else */',
      'if (a) a = 2;',
      'else a = 3;',
      'a ||= /* nothing */ never();',
      '',
    ].join('\r\n');
    const shop = await workspace({
      'a.cjs': text.replace('#!/usr/bin/env node', '// no shebang behind a mark'),
    });
    start(shop, 'a.cjs');
    await shop.write('b.cjs', text.replace('\uFEFF', ''));
    start(shop, 'b.cjs');
    const { files } = await read(shop);
    const drawn = { lines: '3:1 10:1 12:1', functions: '', branches: '10:1' };
    assert.deepEqual(drawFile(one(files, 'a.cjs')), drawn);
    assert.deepEqual(drawFile(one(files, 'b.cjs')), drawn);
  });

  it('reads what it can of broken, empty and foreign reports', async () => {
    const shop = await workspace({ 'a.js': 'console.log(1);\n' });
    const folder = start(shop, 'a.js');
    const text = await readFile(path.join(folder, await onlyReport(shop.root)), 'utf8');
    await writeFile(path.join(folder, 'coverage-1-1-1.json'), text.slice(0, -100));
    await writeFile(path.join(folder, 'coverage-2-2-2.json'), '');
    await writeFile(
      path.join(folder, 'coverage-3-3-3.json'),
      '{"result":[null,{"url":5},{"url":"file:///%zz"}]}',
    );
    const { files, unread } = await read(shop);
    assert.equal(unread, 2);
    assert.equal(drawFile(one(files, 'a.js')).lines, '1:1');
    assert.deepEqual((await read(shop, 'nowhere')).files, []);
  });
});

type Script = Parameters<typeof convert>[0]['coverage'];

function scriptIn(report: string, name: string): Script {
  const { result }: { readonly result: readonly Script[] } = JSON.parse(report);
  const found = result.find(({ url }) => url.endsWith(name));
  if (!found) throw new Error(`no ${name} in the report`);
  return found;
}

async function onlyReport(root: string): Promise<string> {
  const [name] = await readdir(path.join(root, 'counted'));
  return name ?? '';
}
