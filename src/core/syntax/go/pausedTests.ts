// Puts pauses between the steps of tests in Go, on the lines that are there.
import type { TextChange } from '../../model/fileEdit.ts';
import { mostPausedMs, type PauseBefore, type PausedTest } from '../../model/pausing.ts';
import { goSource, type GoSource } from './goSource.ts';
import { statementEnd } from './statements.ts';

/** Before the lines that begin with a condition or declare a variable: these are certain to be statements. */
export function pausesInGo(
  text: string,
  tests: readonly PausedTest[],
  ms: PauseBefore,
): readonly TextChange[] {
  const source = goSource(text);
  const { tokens, functions, lines } = source;
  const names = new Set(tests.map((test) => test.names[0]));
  const lineOf = (offset: number): number => lines.position(offset).line;
  return functions.flatMap(({ name, receiver, open, close }) => {
    if (receiver !== undefined || !names.has(name)) return [];
    const steps = tokens.slice(open + 1, close).flatMap((token, index) => {
      const at = open + 1 + index;
      const last = tokens[statementEnd(source, at) - 1] ?? token;
      return isStep(source, at) ? [{ start: token.start, last: last.start }] : [];
    });
    const changes = steps.flatMap(({ start, last }): readonly TextChange[] => {
      const pause = ms({ from: lineOf(start), to: lineOf(last), of: steps.length });
      return pause === 0 ? [] : [{ start, end: start, newText: `testmendPaused(${pause}); ` }];
    });
    const start = tokens[open]?.end;
    if (changes.length === 0 || start === undefined) return [];
    return [{ start, end: start, newText: ' testmendPaused := testmendPauses();' }, ...changes];
  });
}

function isStep({ tokens, text }: GoSource, at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token?.kind !== 'word' || !text.slice(before?.end, token.start).includes('\n')) return false;
  if (token.text === 'if') return true;
  let end = at + 1;
  while (tokens[end]?.text === ',' && tokens[end + 1]?.kind === 'word') end += 2;
  return tokens[end]?.text === ':=' || (tokens[end]?.text === ':' && tokens[end + 1]?.text === '=');
}

/** A file beside the test with the pauses that it names. */
export function goPauses(text: string): string {
  const { tokens } = goSource(text);
  return `package ${tokens[1]?.text ?? 'main'}

import "time"

func testmendPauses() func(int) {
	left := ${mostPausedMs}
	return func(ms int) {
		if ms > left {
			ms = left
		}
		left -= ms
		time.Sleep(time.Duration(ms) * time.Millisecond)
	}
}
`;
}
