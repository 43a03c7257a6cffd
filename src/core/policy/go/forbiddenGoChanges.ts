// Names what is forbidden in a change of a Go test file that is more than another expected value.
import { comparisonsOf } from '../../syntax/go/comparisons.ts';
import { plainTests, type GoSource } from '../../syntax/go/goSource.ts';
import { isTestName } from '../../syntax/go/declarations.ts';
import type { Finding } from '../fileFacts.ts';

/** What it does not find is not allowed by that: only another expected value is. */
export function forbiddenGoChanges(was: GoSource, is: GoSource): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { rule, text, pattern } of neverMore) {
    const [old, now] = [callsOf(was, pattern), callsOf(is, pattern)];
    const offset = now[old.length] ?? now.at(-1);
    if (now.length > old.length && offset !== undefined)
      findings.push({ rule, text, line: lineAt(is, offset) });
  }
  const builds = ({ comments }: GoSource): string =>
    comments
      .filter(({ text }) => /^\/\/(?:go:build|\s*\+build)\b/.test(text))
      .map(({ text }) => text)
      .join('\n');
  if (builds(was) !== builds(is))
    findings.push({ rule: 'skip-or-only', line: 1, text: 'The build constraint of the file changed.' });
  const names = ({ functions }: GoSource): readonly string[] =>
    functions.flatMap(({ name }) => (/^(?:Test|Fuzz|Example)/.test(name) && isTest(name) ? [name] : []));
  for (const name of names(was))
    if (!names(is).includes(name))
      findings.push({ rule: 'removed-test', line: 1, text: `The test ${name} was removed.` });
  const [old, now] = [assertionsIn(was), assertionsIn(is)];
  for (const [name, count] of old) {
    const test = is.functions.find((declared) => declared.name === name);
    if (test !== undefined && (now.get(name) ?? 0) < count)
      findings.push({
        rule: 'fewer-assertions',
        line: lineAt(is, is.tokens[test.first]?.start ?? 0),
        text: `${name} has fewer comparisons or failure messages than before.`,
      });
  }
  return findings;
}

const isTest = (name: string): boolean =>
  ['Test', 'Fuzz', 'Example'].some((prefix) => isTestName(name, prefix));

const neverMore: readonly { readonly rule: string; readonly text: string; readonly pattern: RegExp }[] = [
  { rule: 'skip-or-only', text: 'A test is skipped.', pattern: /^(?:Skip|Skipf|SkipNow)$/ },
  { rule: 'swallowed-error', text: 'A panic is recovered.', pattern: /^recover$/ },
  { rule: 'process-control', text: 'The change exits the test process.', pattern: /^(?:Exit|Goexit)$/ },
];

/** Offsets of calls of functions and methods by their names. */
function callsOf({ tokens }: GoSource, name: RegExp): readonly number[] {
  return tokens.flatMap(({ text, start }, at) =>
    name.test(text) && tokens[at + 1]?.text === '(' ? [start] : [],
  );
}

/** Comparisons, and calls that make a test fail, in each function. */
function assertionsIn(source: GoSource): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name, open, close } of source.functions) {
    const calls = source.tokens
      .slice(open, close)
      .filter(
        ({ text }, index) =>
          /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(text) &&
          source.tokens[open + index - 1]?.text === '.' &&
          source.tokens[open + index + 1]?.text === '(',
      );
    const asserted = source.tokens
      .slice(open, close)
      .filter(
        ({ text }, index) =>
          /^(?:assert|require)$/.test(text) && source.tokens[open + index + 1]?.text === '.',
      );
    counts.set(name, (counts.get(name) ?? 0) + calls.length + asserted.length);
  }
  for (const test of plainTests(source))
    counts.set(test.name, (counts.get(test.name) ?? 0) + comparisonsOf(source, test).comparisons.length);
  return counts;
}

const lineAt = ({ lines }: GoSource, offset: number): number => lines.position(offset).line;
