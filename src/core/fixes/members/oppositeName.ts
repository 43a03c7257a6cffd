// Whether two names say the opposite: then what has the one name now is hardly what had the other, whatever its text.

const opposites: ReadonlySet<string> = new Set(
  [
    'open/closed opened/closed open/close valid/invalid enabled/disabled enable/disable visible/hidden show/hide on/off',
    'first/last min/max minimum/maximum start/end begin/end left/right top/bottom up/down before/after asc/desc older/newer',
    'add/remove insert/delete push/pop increase/decrease increment/decrement allow/deny allowed/denied grant/revoke lock/unlock',
    'active/inactive empty/full true/false yes/no all/none every/some in/out income/expense credit/debit buy/sell win/lose',
    'pass/fail passed/failed success/failure accept/reject lower/upper less/greater above/below encode/decode parse/stringify',
    'source/target from/to sender/receiver read/write load/save include/exclude known/unknown same/different odd/even',
  ].flatMap((line) => line.split(' ').flatMap((pair) => [pair, pair.split('/').toReversed().join('/')])),
);

/** `isOpen` and `isClosed`, `isValid` and `isInvalid`, `first` and `last`. */
export function areOpposites(one: string, other: string): boolean {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const [gone, come] = [
    left.filter((word) => !right.includes(word)),
    right.filter((word) => !left.includes(word)),
  ];
  const [was, is] = [gone.join(''), come.join('')] as const;
  return opposites.has(`${was}/${is}`) || negates(was, is) || negates(is, was);
}

/** `not`, `un-`, `in-`, … before the same word. */
function negates(word: string, negated: string): boolean {
  return (
    /^(?:not?|un|in|im|dis|non)$/.test(negated.slice(0, negated.length - word.length)) &&
    negated.endsWith(word)
  );
}

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase());
}
