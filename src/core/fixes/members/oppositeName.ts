// Whether two names say the opposite: then what has the one name now is hardly what had the other, whatever its text.

const opposites: ReadonlySet<string> = new Set(
  [
    'open/closed opened/closed open/close valid/invalid enabled/disabled enable/disable visible/hidden show/hide on/off',
    'first/last min/max minimum/maximum start/end begin/end left/right top/bottom up/down before/after asc/desc older/newer',
    'add/remove insert/delete push/pop increase/decrease increment/decrement allow/deny allowed/denied grant/revoke lock/unlock',
    'active/inactive empty/full true/false yes/no all/none every/some in/out income/expense credit/debit buy/sell win/lose',
    'pass/fail passed/failed success/failure accept/reject lower/upper less/greater above/below encode/decode parse/stringify',
    'source/target from/to sender/receiver read/write load/save include/exclude known/unknown same/different odd/even',
    'deposit/withdraw deposits/withdrawals deposit/withdrawal deposited/withdrawn debits/credits debited/credited buyer/seller',
    'bought/sold charge/refund pay/refund lend/borrow gain/loss profit/loss profits/losses asset/liability bid/ask won/lost',
    'income/expenses incoming/outgoing import/export upload/download send/receive sent/received give/take append/prepend',
    'enqueue/dequeue acquire/release attach/detach join/leave enter/leave enter/exit login/logout start/stop begin/finish',
    'play/pause pause/resume expand/collapse grow/shrink raise/lower rise/fall ascending/descending forward/backward',
    'forwards/backwards horizontal/vertical inner/outer inside/outside oldest/newest earliest/latest smallest/largest',
    'smaller/larger shortest/longest lowest/highest low/high lower/higher more/less most/least many/few encrypt/decrypt',
    'increment/reduce add/subtract plus/minus positive/negative multiply/divide floor/ceil head/tail front/back hit/miss',
    'online/offline alive/dead present/absent found/missing approve/reject approved/rejected accepted/rejected pushed/popped',
    'accepted/declined confirm/cancel public/private internal/external previous/next prev/next parent/child with/without',
    'locked/unlocked added/removed increased/decreased included/excluded inclusive/exclusive incl/excl width/height',
    'row/column rows/columns latitude/longitude lat/lon lat/lng request/response key/value keys/values',
    'success/error success/errors ok/failed ok/error ok/failure resolve/reject resolved/rejected subtotal/total pre/post',
    'draft/published drafts/published primary/secondary client/server hot/cold warm/cold child/senior child/adult',
    'owner/guest member/guest admin/guest billing/shipping today/yesterday sum/average mean/median net/tax weak/strong',
    'light/dark early/late earlier/later big/small large/small long/short major/minor senior/junior',
  ].flatMap((line) => line.split(' ').flatMap((pair) => [pair, pair.split('/').toReversed().join('/')])),
);

/** `isOpen` and `isClosed`, `isValid` and `isInvalid`, `depositTo` and `withdrawFrom`. */
export function areOpposites(one: string, other: string): boolean {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  const [gone, come] = [
    left.filter((word) => !right.includes(word)),
    right.filter((word) => !left.includes(word)),
  ];
  const [was, is] = [gone.join(''), come.join('')] as const;
  const hasPair = gone.some((word) => come.some((other) => opposites.has(`${word}/${other}`)));
  return (
    // `Missing` and `NotFound` say the same, and so do `net` and `withoutTax`.
    (hasPair && isDenied(gone) === isDenied(come)) ||
    negates(was, is) ||
    negates(is, was) ||
    deniesOnly(left, right)
  );
}

const denial = /^(?:not?|non|never|without|lacks|cannot|cant|dont|doesnt|isnt|hasnt|wont|shouldnt)$/;
const auxiliary = /^(?:is|are|was|has|have|had|can|do|does|did|will|should|may)$/;

/** `canEdit` and `cannotEdit`, `hasErrors` and `noErrors`: the same said of one thing, and denied. */
function deniesOnly(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [left, right].map((words) =>
    words.filter((word) => !denial.test(word) && !auxiliary.test(word)).join(' '),
  );
  const times = (words: readonly string[]): number => words.filter((word) => denial.test(word)).length;
  return one === other && one !== '' && (times(left) - times(right)) % 2 !== 0;
}

const isDenied = (words: readonly string[]): boolean => words.some((word) => denial.test(word));

/** `not`, `un-`, `in-`, `de-`, … before the same word. */
function negates(word: string, negated: string): boolean {
  return (
    /^(?:not?|un|in|im|dis|de|non)$/.test(negated.slice(0, negated.length - word.length)) &&
    negated.endsWith(word)
  );
}

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase());
}
