// What failed, a card for each way to fail: message, difference, frames, what it printed, and what the last fix cycle knows of it.
import { alikeFailures } from '../../core/model/alikeFailures.ts';
import type { Remaining } from '../../core/model/cycle.ts';
import type { ReportedFailure, ReportedTest, RunReport } from '../../core/model/runReport.ts';
import { fullName } from '../../core/model/testName.ts';
import { oneLine } from '../../core/model/visibleText.ts';
import { card, type CardHost } from '../card.ts';
import { breakable, button, element, type Child } from '../dom.ts';
import { failureHeadline } from '../failureHeadline.ts';
import { withCode } from '../inlineCode.ts';
import { renderDiff, renderText } from '../renderDiff.ts';
import { outcomeRow } from './outcomeRow.ts';

type Red = Pick<Remaining, 'severity' | 'fault' | 'reason' | 'message'> & { readonly test: ReportedTest };

/** Nothing remembers what was folded: a report is opened anew. */
const host: CardHost = { isUnfolded: () => undefined, folded: () => undefined };
const cardsAtOnce = 100;
const unfoldedUpTo = 5;

/** Sections for what failed and for what passed on a retry; `show` goes to a test in the list of all. */
export function failureCards({ tests, cycle }: RunReport, show: (id: string) => void): HTMLElement[] {
  const known = new Map((cycle?.remaining ?? []).map((one) => [one.id, one]));
  const red = tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored');
  const flaky = tests.filter((test) => test.isFlaky && !red.includes(test) && test.failures !== undefined);
  return [
    ...sectionOf('Failed', 'failed', red, known, show),
    ...sectionOf('Passed on a retry', 'flaky', flaky, new Map(), show),
  ];
}

function sectionOf(
  title: string,
  name: string,
  tests: readonly ReportedTest[],
  known: ReadonlyMap<string, Remaining>,
  show: (id: string) => void,
): HTMLElement[] {
  const groups = alikeFailures(tests.map((test) => redOf(test, known.get(test.id))));
  if (groups.length === 0) return [];
  const isShort = groups.length <= unfoldedUpTo;
  const list = element('div', { class: 'list' });
  const add = (from: number, to: number): void =>
    list.append(...groups.slice(from, to).map((group) => cardOf(group, isShort, show)));
  add(0, cardsAtOnce);
  const made = element(
    'section',
    { class: name, attributes: { 'aria-labelledby': `heading-${name}` } },
    element('h2', { id: `heading-${name}` }, title),
    list,
  );
  if (groups.length > cardsAtOnce) {
    const more = button(`Show all ${groups.length.toLocaleString('en')}`, () => {
      more.remove();
      add(cardsAtOnce, groups.length);
    });
    made.append(more);
  }
  return [made];
}

function redOf(test: ReportedTest, known: Remaining | undefined): Red {
  const [first] = test.failures ?? [];
  const message = first?.message ?? '';
  // What the cycle says of another failure of the test is about an older state.
  const isSame = known !== undefined && known.message === message;
  return {
    test,
    message,
    severity: first?.severity ?? 'low',
    fault: isSame ? known.fault : 'unknown',
    reason: isSame ? known.reason : '',
  };
}

function cardOf(group: readonly [Red, ...Red[]], unfolded: boolean, show: (id: string) => void): HTMLElement {
  const [{ test, severity, fault, reason, message }] = group;
  const alone = group.length === 1;
  const headline = failureHeadline(message);
  return card(
    {
      key: test.id,
      class: `test severity-${severity}`,
      level: 3,
      title: oneLine(
        alone
          ? fullName(test)
          : `${group.length.toLocaleString('en')} tests fail in the same way: ${headline}`,
        300,
      ),
      summary: [
        element(
          'p',
          { class: 'badges' },
          element('span', { class: 'badge severity' }, severity),
          fault === 'unknown'
            ? undefined
            : element('span', { class: `badge fault-${fault}` }, `fault: ${fault}`),
          alone ? goTo(test, breakable(placeOf(test)), show) : undefined,
          alone ? outcomeRow(test.outcomes) : undefined,
        ),
        element('p', { class: 'reason' }, ...withCode(reason === '' ? headline : reason)),
      ],
      body: () => bodyOf(group, show),
      unfolded,
    },
    host,
  );
}

function bodyOf(group: readonly [Red, ...Red[]], show: (id: string) => void): Child[] {
  const [{ test, reason, message }] = group;
  // The heading has all of it.
  const isSaid = reason === '' && failureHeadline(message) === message;
  const name = oneLine(fullName(test), 80);
  return [
    ...(test.failures ?? []).flatMap((failure, at) => failureParts(failure, name, at === 0 && isSaid)),
    ...(test.output === undefined
      ? []
      : [element('p', { class: 'caption' }, 'It printed'), renderText(test.output, `Printed by: ${name}`)]),
    ...(group.length === 1
      ? []
      : [
          element('p', { class: 'caption' }, 'These tests'),
          element(
            'ul',
            { class: 'tests' },
            ...group.map(({ test: one }) =>
              element(
                'li',
                {},
                goTo(one, oneLine(fullName(one), 200), show),
                ' ',
                element('span', { class: 'file' }, breakable(placeOf(one))),
              ),
            ),
          ),
        ]),
  ];
}

function failureParts(
  { message, difference, frames }: ReportedFailure,
  name: string,
  isSaid: boolean,
): Child[] {
  return [
    ...(isSaid ? [] : [renderText(message, `Failure of: ${name}`)]),
    ...(difference === undefined
      ? []
      : [
          element('p', { class: 'caption' }, 'Expected (−) and actual (+)'),
          renderDiff(difference, `Expected and actual of: ${name}`),
        ]),
    ...(frames.length === 0
      ? []
      : [element('ul', { class: 'frames' }, ...frames.map((frame) => element('li', {}, breakable(frame))))]),
  ];
}

const placeOf = ({ file, line }: ReportedTest): string => `${file}:${line}`;

function goTo(test: ReportedTest, text: Child, show: (id: string) => void): HTMLElement {
  return button(text, () => show(test.id), {
    class: 'link',
    attributes: { 'aria-label': `Go to ${oneLine(fullName(test), 120)} in the list of all tests` },
  });
}
