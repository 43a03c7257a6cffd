// Failing tests as cards: one for each way to fail, with every test that fails so.
import { fullName } from '../core/model/testName.ts';
import { card, type CardHost } from './card.ts';
import { breakable, button, element, type Child } from './dom.ts';
import { withCode } from './inlineCode.ts';
import { failureHeadline } from './failureHeadline.ts';
import type { FromPanel } from './messages.ts';
import type { FailureGroup } from './panelModel.ts';
import { renderText } from './renderDiff.ts';
import { renderHandOver } from './renderHandOver.ts';
import { oneLine } from '../core/model/visibleText.ts';

interface FailureCardOptions {
  /** Whether it shows what is known until the user decides otherwise. */
  readonly unfolded: boolean;
  /** Of a recording: it cannot be copied. */
  readonly isRecorded: boolean;
  /** Of a chat: it cannot be copied either, and no file opens. */
  readonly inChat: boolean;
  /** It was the last that was copied. */
  readonly isCopied: boolean;
  readonly host: CardHost;
  readonly send: (message: FromPanel) => void;
}

/** Tests of a group that are listed at once; the rest follow at a click. */
const listedAtOnce = 20;

type Test = FailureGroup['tests'][number];

export function renderFailures(
  { key, tests }: FailureGroup,
  { unfolded, isRecorded, inChat, isCopied, host, send: sendToHost }: FailureCardOptions,
): HTMLElement {
  const send = inChat ? undefined : sendToHost;
  const [first] = tests;
  const pack = tests.find(({ handOver }) => handOver !== undefined);
  if (first === undefined) throw new Error('a group without a test');
  const alone = tests.length === 1;
  // While the first run goes on nobody knows yet who is at fault.
  const isLookedAt = first.reason !== '';
  return card(
    {
      key: `test-${key}`,
      class: `test severity-${first.severity}`,
      level: 3,
      title: oneLine(
        alone
          ? fullName(first)
          : `${tests.length.toLocaleString('en')} tests fail in the same way: ${failureHeadline(first.message)}`,
        300,
      ),
      summary: [
        element(
          'p',
          { class: 'badges' },
          element('span', { class: 'badge severity' }, first.severity),
          isLookedAt
            ? element('span', { class: `badge fault-${first.fault}` }, faultTexts[first.fault])
            : undefined,
          alone ? testLink(first, breakable(place(first)), send) : undefined,
        ),
        isLookedAt || alone
          ? element(
              'p',
              { class: 'reason' },
              ...withCode(isLookedAt ? first.reason : failureHeadline(first.message)),
            )
          : undefined,
      ],
      body: () => [
        renderText(first.message, `Failure of: ${oneLine(fullName(first), 80)}`),
        ...(pack?.handOver === undefined
          ? []
          : renderHandOver(pack.handOver, {
              title: fullName(first),
              reason: first.reason,
              isCopied,
              openSource: send && ((index) => send({ type: 'openSource', testId: pack.id, index })),
              copy:
                isRecorded || send === undefined
                  ? undefined
                  : () => send({ type: 'copyHandOver', testIds: tests.map(({ id }) => id) }),
            })),
        ...(alone ? [] : [element('p', { class: 'caption' }, 'These tests'), listOf(tests, send)]),
      ],
      unfolded,
    },
    host,
  );
}

const faultTexts = {
  test: 'fault: test',
  source: 'fault: source, fix required',
  environment: 'fault: environment',
  flaky: 'fault: flaky',
  unknown: 'fault: unknown',
};

type Send = ((message: FromPanel) => void) | undefined;

function listOf(tests: readonly Test[], send: Send): HTMLElement {
  const row = (test: Test): Node =>
    element(
      'li',
      {},
      testLink(test, oneLine(fullName(test), 200), send),
      ' ',
      element('span', { class: 'file' }, breakable(place(test))),
    );
  const list = element('ul', { class: 'tests' }, ...tests.slice(0, listedAtOnce).map(row));
  if (tests.length <= listedAtOnce) return list;
  const more = element('li', {});
  const showAll = (): void => {
    const rest = tests.slice(listedAtOnce).map(row);
    more.replaceWith(...rest);
    list.children[listedAtOnce]?.querySelector('button')?.focus();
  };
  more.append(button(`Show all ${tests.length.toLocaleString('en')}`, showAll, { class: 'link' }));
  list.append(more);
  return list;
}

function testLink(test: Test, text: Child, send: Send): HTMLElement {
  if (send === undefined) return element('span', { title: test.id }, text);
  return button(text, () => send({ type: 'reveal', testId: test.id }), {
    class: 'link',
    title: test.id,
    attributes: {
      'aria-label': `Go to ${oneLine(fullName(test), 120)} in ${place(test)}`,
      'data-control': 'reveal',
    },
  });
}

const place = ({ file, line }: Test): string => (line === undefined ? file : `${file}:${line}`);
