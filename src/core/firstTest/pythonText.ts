// Writes a first test in Python for pytest: one check of what the module defines, and a skipped test for each real one.
import path from 'node:path';
import type { PythonSubject } from './pythonSubject.ts';
import { callOf, stemOf } from './subject.ts';

interface PythonTextRequest {
  readonly subject: PythonSubject;
  /** Relative to the root, POSIX separators. */
  readonly source: string;
  /** Every file of the workspace. */
  readonly files: readonly string[];
}

const name = /^[^\W\d]\w*$/u;
const keyword =
  /^(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)$/;
const isName = (text: string): boolean => name.test(text) && !keyword.test(text);

/** The whole text of the file. */
export function pythonText({ subject, source, files }: PythonTextRequest): string {
  const { statements, module } = importOf(source, files);
  const { exported, runsOnLoad } = subject;
  const checks = exported.map(({ name: own, kind }) =>
    kind === 'unknown' ? `assert hasattr(${module}, "${own}")` : `assert callable(${module}.${own})`,
  );
  const calls = exported.flatMap(({ name: own, kind, parameters, methods }) => [
    ...(kind === 'function' || kind === 'class' ? [{ test: own, call: callOf(own, parameters) }] : []),
    ...methods.map((method) => ({
      test: `${own}_${method.name}`,
      call: `${own}.${callOf(method.name, method.parameters)}`,
    })),
  ]);
  const places = new Map(calls.map(({ test, call }) => [test.replace(/^_+/, ''), call]));
  const own = `test_${stemOf(source).replace(/\W+/gu, '_').replace(/^_+/, '')}_defines_its_names`;
  const skips = [...places].flatMap(([test, call]) => [
    '',
    '',
    `@pytest.mark.skip(reason=${JSON.stringify(`to do: ${call}`)})`,
    `def test_${test}():`,
    '    pass',
  ]);
  return [
    '# Testmend does not invent expectations: replace each skip by what should hold.',
    ...(runsOnLoad ? [`# Importing the module runs its line ${runsOnLoad.line}: ${runsOnLoad.text}`] : []),
    ...(places.size > 0 ? [...statements.filter(isPlain), 'import pytest', ''] : statements.filter(isPlain)),
    ...statements.filter((one) => !isPlain(one)),
    '',
    '',
    `def ${own}():`,
    ...checks.map((check) => `    ${check}`),
    ...skips,
    '',
  ].join('\n');
}

const isPlain = (statement: string): boolean => statement === 'import importlib';

/** By its packages, from the folder on that is on the import path: `src` and the root are, and what holds no `__init__.py`. */
function importOf(
  source: string,
  files: readonly string[],
): { statements: readonly string[]; module: string } {
  const known = new Set(files);
  const folders: string[] = [];
  let at = path.posix.dirname(source);
  while (at !== '.' && known.has(`${at}/__init__.py`)) {
    folders.unshift(path.posix.basename(at));
    at = path.posix.dirname(at);
  }
  // Folders without `__init__.py` are packages too, where the root is on the path.
  if (folders.length === 0 && at !== '.' && !/(?:^|\/)(?:src|lib|python)$/.test(at))
    folders.push(...at.split('/'));
  const stem = stemOf(source);
  const parts = stem === '__init__' ? folders : [...folders, stem];
  const last = parts.at(-1) ?? stem;
  const local = isName(last) && last !== 'pytest' ? last : 'module';
  if (!parts.every(isName)) {
    const loaded = `${local} = importlib.import_module(${JSON.stringify(parts.join('.'))})`;
    return { statements: ['import importlib', loaded], module: local };
  }
  const as = local === last ? '' : ` as ${local}`;
  const from = parts.slice(0, -1).join('.');
  return {
    statements: [from === '' ? `import ${last}${as}` : `from ${from} import ${last}${as}`],
    module: local,
  };
}
