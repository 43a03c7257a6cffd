// What may not happen to the tests of a Python file: gone, renamed, emptied, decorated, ended early, fed by other imports.
import type { Finding } from '../fileFacts.ts';
import type { FunctionFacts, Place, PythonFacts } from './fileFacts.ts';

export function* structureRules(was: PythonFacts, is: PythonFacts): Generator<Finding> {
  const now = new Map(is.functions.map((one) => [one.name, one]));
  for (const name of was.classes)
    if (/(?:^|\.)Test/.test(name) && !is.classes.includes(name))
      yield { rule: 'removed-test', line: 1, text: `The class ${name} was removed together with its tests.` };
  for (const old of was.functions) {
    const found = now.get(old.name);
    if (found !== undefined) yield* functionRules(old, found);
    else if (old.isTest) yield { rule: 'removed-test', line: 1, text: `The test ${old.name} was removed.` };
    else if (old.decorators.some(({ text }) => /fixture/.test(text)))
      yield { rule: 'removed-fixture', line: 1, text: `The fixture ${old.name} was removed.` };
  }
  const counts = new Map<string, number>();
  for (const { name, line, isTest } of is.functions) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const before = was.functions.filter((one) => one.name === name).length;
    if (isTest && (counts.get(name) ?? 0) > Math.max(1, before))
      yield { rule: 'removed-test', line, text: `A second ${name} hides the first one.` };
  }
  yield* importRules(was, is);
  yield* commentRules(was, is);
}

function* functionRules(was: FunctionFacts, is: FunctionFacts): Generator<Finding> {
  const added = extra(is.decorators, was.decorators);
  const lost = extra(was.decorators, is.decorators);
  const [table] = is.tables;
  const rows = (one: FunctionFacts): number => one.tables.reduce((sum, { rows: count }) => sum + count, 0);
  const rest = (one: FunctionFacts): string => one.tables.map((each) => each.rest).join('\n');
  if (rows(is) < rows(was) || is.tables.length < was.tables.length)
    yield {
      rule: 'removed-rows',
      line: table?.line ?? is.line,
      text: `The parameter table of ${is.name} lost rows.`,
    };
  else if (rest(was) !== rest(is) && was.tables.length > 0)
    yield {
      rule: 'changed-table',
      line: table?.line ?? is.line,
      text: `The names, ids or marks in the parameter table of ${is.name} changed.`,
    };
  const isTable = ({ text }: Place): boolean => /parametrize/.test(text);
  for (const { text, line } of added.filter((one) => !isTable(one)))
    yield {
      rule: 'new-decorator',
      line,
      text: `The decorator ${text.replaceAll(' ', '')} was added to ${is.name}.`,
    };
  if (lost.some((one) => !isTable(one)) && lost.length > added.length)
    yield { rule: 'new-decorator', line: is.line, text: `A decorator of ${is.name} was removed.` };
  if (!is.isTest && !was.decorators.some(({ text }) => /fixture/.test(text))) return;
  if (!is.isTest && JSON.stringify(textsOf(was.statements)) !== JSON.stringify(textsOf(is.statements)))
    yield { rule: 'changed-input', line: is.line, text: `The fixture ${is.name} returns something else.` };
  if (!is.isTest) return;
  if (was.parameters !== is.parameters)
    yield { rule: 'changed-input', line: is.line, text: `The test ${is.name} requests other fixtures.` };
  yield* endRules(was, is);
}

/** A lone `yield` is read as a `pass` of as many letters. */
const ending = /^(?:(?:return|raise|yield|break|continue)\b|yiel$)/;

/** What ends a test before its end; and a test without anything left in it. */
function* endRules(was: FunctionFacts, is: FunctionFacts): Generator<Finding> {
  for (const { text, line } of extra(is.statements, was.statements)) {
    if (ending.test(text))
      yield { rule: 'early-end', line, text: `${text.split(' ')[0] ?? ''} ends the test early.` };
    if (/^(?:global|nonlocal|del)\b/.test(text))
      yield { rule: 'tampering', line, text: 'The change uses global or nonlocal names outside the test.' };
  }
  const isEmpty = ({ statements }: FunctionFacts): boolean =>
    statements.every(({ text }) => /^(?:pass|\.\.\.|["'].*)$/s.test(text));
  if (isEmpty(is) && !isEmpty(was))
    yield { rule: 'empty-test', line: is.line, text: `The test ${is.name} is empty.` };
}

function* importRules(was: PythonFacts, is: PythonFacts): Generator<Finding> {
  for (const [name, origin] of was.imports) {
    const now = is.imports.get(name);
    if (now !== undefined && now !== origin)
      yield {
        rule: 'redirected-import',
        line: 1,
        text: `${name} is imported from ${now} instead of ${origin}.`,
      };
  }
  for (const [name, origin] of is.imports) {
    if (was.imports.has(name)) continue;
    if (name === '*' || origin.endsWith(':*'))
      yield {
        rule: 'redirected-import',
        line: 1,
        text: `The import from ${origin} may replace known names.`,
      };
    else if (was.functions.some((one) => one.name === name) || was.classes.includes(name))
      yield {
        rule: 'redirected-import',
        line: 1,
        text: `${name} is imported from ${origin} instead of defined in this file.`,
      };
  }
}

const suppressing =
  /\btype:|\bnoqa\b|\bpragma\b|\bpylint\b|\bmypy\b|\bpyright\b|\bruff\b|\bflake8\b|\bnosec\b|coding[:=]|\bfmt:|\bcoverage\b/;

function* commentRules(was: PythonFacts, is: PythonFacts): Generator<Finding> {
  for (const { text, line } of extra(is.comments, was.comments)) {
    if (suppressing.test(text))
      yield { rule: 'suppression', line, text: `The new comment ${text.trim()} silences a tool.` };
    if (/^#+\s*(?:assert\b|with pytest|def test|@pytest|self\.assert)/.test(text))
      yield { rule: 'fewer-assertions', line, text: 'Code that was checked is now a comment.' };
  }
}

const textsOf = (places: readonly Place[]): readonly string[] => places.map(({ text }) => text);

/** What the first list has more often than the second. */
export function extra<T extends { readonly text: string }>(
  list: readonly T[],
  other: readonly T[],
): readonly T[] {
  const left = other.map(({ text }) => text);
  return list.filter(({ text }) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
