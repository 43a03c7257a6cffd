// Writes a first test in JavaScript or TypeScript: one check of what the module exports, and a place for each real one.
import type { FrameworkId } from '../model/testNode.ts';
import { stringSource } from '../syntax/javascript/literalSource.ts';
import type { Binding } from './scriptImport.ts';
import type { ScriptStyle } from './scriptStyle.ts';
import type { ScriptSubject } from './scriptSubject.ts';
import { callsToTest, stemOf, type Exported } from './subject.ts';

interface ScriptTextRequest {
  readonly framework: FrameworkId;
  readonly subject: ScriptSubject;
  readonly style: ScriptStyle;
  readonly binding: Binding;
  /** Relative to the root. */
  readonly source: string;
}

/** The whole text of the file. */
export function scriptText(request: ScriptTextRequest): string {
  const { style, binding, framework } = request;
  const writer = new Writer(style);
  const head = [...apiLines(request, writer), writer.statement(binding.statement)];
  const comments = [
    '// Testmend does not invent expectations: replace each todo by what should hold.',
    ...onLoadLines(request.subject),
  ];
  const tests = testLines(request, writer);
  const { suite } = style;
  const body =
    framework === 'ava'
      ? tests
      : [
          `${suite}(${writer.text(stemOf(request.source))}, ${writer.callback}`,
          ...tests.map((line) => (line === '' ? '' : writer.indent + line)),
          writer.statement('})'),
        ];
  return [...head, '', ...comments, ...body, ''].join(style.eol);
}

class Writer {
  readonly #style: ScriptStyle;

  constructor(style: ScriptStyle) {
    this.#style = style;
  }

  get indent(): string {
    return this.#style.indent;
  }

  readonly callback = '() => {';

  /** Broken into lines where it is long. */
  statement(code: string): string {
    const whole = code + (this.#style.semicolons ? ';' : '');
    const list = /^(.*?\{) (.*) (\}.*)$/.exec(whole);
    if (whole.length <= 100 || list === null) return whole;
    const [, open = '', names = '', close = ''] = list;
    const lines = names.split(', ').map((name) => `${this.indent}${name},`);
    return [open, ...lines, close].join(this.#style.eol);
  }

  text(value: string): string {
    return stringSource(value, this.#style.quote);
  }
}

function onLoadLines({ runsOnLoad }: ScriptSubject): readonly string[] {
  return runsOnLoad === undefined
    ? []
    : [`// Loading the module runs its line ${runsOnLoad.line}: ${runsOnLoad.text}`];
}

/** What the test needs of its framework. */
function apiLines({ framework, style }: ScriptTextRequest, writer: Writer): readonly string[] {
  const load = (bound: string, module: string): string =>
    writer.statement(
      style.format === 'esm'
        ? `import ${bound} from ${writer.text(module)}`
        : `const ${bound} = require(${writer.text(module)})`,
    );
  const { assertions, imports, suite, test } = style;
  const names = [suite, ...(assertions === 'expect' ? ['expect'] : []), test].sort();
  const lines: string[] = [];
  if (framework === 'ava') return [load('test', 'ava')];
  if (typeof assertions === 'object') lines.push(load('assert', assertions.module));
  if (assertions === 'chai') lines.push(load('{ expect }', 'chai'));
  if (imports) lines.push(load(`{ ${names.join(', ')} }`, apiModules[framework] ?? framework));
  return lines;
}

const apiModules: Readonly<Partial<Record<FrameworkId, string>>> = {
  vitest: 'vitest',
  jest: '@jest/globals',
  nodeTest: 'node:test',
};

function testLines(request: ScriptTextRequest, writer: Writer): readonly string[] {
  const { subject, binding, style, framework } = request;
  const all = [...(subject.whole ? [subject.whole] : []), ...subject.exported];
  const claimed = all.filter(({ kind }) => kind !== 'unset');
  const name = framework === 'ava' ? 'test' : style.test;
  const checks = claimed.map((one) => writer.statement(check(binding.nameOf(one), one, style, writer)));
  const whole = binding.module ?? 'undefined';
  const lines =
    checks.length > 0 ? checks : [writer.statement(check(whole, { kind: 'object' }, style, writer))];
  const title = claimed.length > 0 ? `exports ${shownNames(claimed.map(binding.titleOf))}` : 'can be loaded';
  const callback = framework === 'ava' ? '(t) => {' : writer.callback;
  const todos = callsToTest(all, binding.titleOf).map((call) => {
    const text = writer.text(call);
    // In mocha a test without a body waits for one.
    return writer.statement(framework === 'mocha' ? `${name}(${text})` : `${name}.todo(${text})`);
  });
  return [
    `${name}(${writer.text(title)}, ${callback}`,
    ...lines.map((line) => writer.indent + line),
    writer.statement('})'),
    ...(todos.length > 0 ? ['', ...todos] : []),
  ];
}

/** All of a few, the first of many. */
function shownNames(names: readonly string[]): string {
  if (names.length <= 4) return names.join(', ');
  return `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;
}

function check(
  name: string,
  { kind }: Pick<Exported, 'kind'>,
  { assertions }: ScriptStyle,
  writer: Writer,
): string {
  const isKnown = kind !== 'unknown';
  const wanted = writer.text(isKnown ? (kind === 'class' ? 'function' : kind) : 'undefined');
  const actual = `typeof ${name}`;
  if (assertions === 'expect') return `expect(${actual})${isKnown ? '' : '.not'}.toBe(${wanted})`;
  if (assertions === 'chai') return `expect(${actual}).to${isKnown ? '' : '.not'}.equal(${wanted})`;
  if (assertions === 'ava') return `t.${isKnown ? 'is' : 'not'}(${actual}, ${wanted})`;
  return `assert.${isKnown ? 'equal' : 'notEqual'}(${actual}, ${wanted})`;
}
