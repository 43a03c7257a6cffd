// Writes a first test in Go, in the package of the source: one that names its functions, and a skipped one for each.
import type { GoFunction, GoSubject } from './goSubject.ts';
import { callOf, stemOf } from './subject.ts';

/** `taken` are the names that the package has in its tests already. */
export function goText(
  { packageName, functions, constraint }: GoSubject,
  source: string,
  taken: ReadonlySet<string>,
): string {
  const stem = stemOf(source).replace(
    /[^\p{L}\p{Nd}]+(.)?/gu,
    (_all, next: string | undefined) => next?.toUpperCase() ?? '',
  );
  const first = freeName(`Test${capital(stem)}Builds`, taken);
  const named = functions.filter(({ isPlain }) => isPlain);
  const places = functions.filter((one) => !taken.has(testOf(one)) && testOf(one) !== first);
  return [
    ...(constraint === undefined ? [] : [constraint, '']),
    `package ${packageName}`,
    '',
    'import "testing"',
    '',
    '// Testmend does not invent expectations: replace each t.Skip by what should hold.',
    '',
    `func ${first}(t *testing.T) {`,
    '\t// It passes when the package builds with these in it.',
    ...named.map((one) => `\t_ = ${referenceTo(one)}`),
    '}',
    ...places.flatMap((one) => [
      '',
      `func ${testOf(one)}(t *testing.T) {`,
      `\tt.Skip(${JSON.stringify(`to do: ${shown(one)}`)})`,
      '}',
    ]),
    '',
  ].join('\n');
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const referenceTo = ({ name, receiver }: GoFunction): string =>
  receiver === undefined ? name : `(*${receiver}).${name}`;

/** `TestTotal`, `Test_total`, `TestCart_Add`, as Go names its examples. */
function testOf({ name, receiver }: GoFunction): string {
  const whole = receiver === undefined ? name : `${receiver}_${name}`;
  return /^\p{Lu}/u.test(whole) ? `Test${whole}` : `Test_${whole}`;
}

const shown = ({ name, receiver, parameters }: GoFunction): string =>
  (receiver === undefined ? '' : `${receiver}.`) + callOf(name, parameters);

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = name + String(number);
  return free;
}
