// One fix as a card: what it changes, how sure that is, why, its diff, and what can be done with it.
import { namesOfId } from '../core/model/testId.ts';
import type { CycleFix } from '../core/model/cycle.ts';
import { card, type CardHost } from './card.ts';
import { breakable, button, element, type Child } from './dom.ts';
import { withCode } from './inlineCode.ts';
import type { FixDecision, FromPanel } from './messages.ts';
import { sourceLink } from './renderHandOver.ts';
import { renderDiff } from './renderDiff.ts';
import { counted } from './standing.ts';
import { oneLine } from '../core/model/visibleText.ts';

interface FixCardOptions {
  readonly decision: FixDecision | undefined;
  /** Its own heading, or below that of a group, which says already what changes. */
  readonly level: 3 | 4;
  /** Of a recording: there is nothing to do about it. */
  readonly isRecorded: boolean;
  /** Of a chat: no file opens, and only what is proven is applied. */
  readonly inChat: boolean;
  /** Whether it shows its diff until the user decides otherwise. */
  readonly unfolded: boolean;
  readonly host: CardHost;
  readonly send: (message: FromPanel) => void;
}

export function renderFix(fix: CycleFix, options: FixCardOptions): HTMLElement {
  const { decision, level, host } = options;
  // What is decided makes room for what is not; it folds whatever was open before.
  const isDecided = decision !== undefined;
  return card(
    {
      key: isDecided ? `fix-${fix.id}-decided` : `fix-${fix.id}`,
      class: `fix trust-${fix.trust}${isDecided ? ' decided' : ''}`,
      level,
      title: oneLine(level === 4 ? whereOf(fix) : fix.title, 300),
      summary: [
        element(
          'p',
          { class: 'badges' },
          ...badges(fix, decision),
          level === 4 ? undefined : element('span', { class: 'file' }, breakable(oneLine(whereOf(fix), 160))),
        ),
        fix.parts && partList(fix.parts),
        ...reasons(fix).map((reason) => element('p', { class: 'reason' }, ...withCode(reason))),
      ],
      body: () => bodyOf(fix, options),
      unfolded: options.unfolded && !isDecided,
    },
    host,
  );
}

/** The steps of a chain: all of them are made, or none. */
function partList(parts: NonNullable<CycleFix['parts']>): HTMLElement {
  const rows = parts.map(({ title, trust }) =>
    element(
      'li',
      {},
      ...withCode(oneLine(title, 300)),
      ' ',
      element('span', { class: 'badge', title: trustTexts[trust] }, trustNames[trust]),
    ),
  );
  return element('ol', { class: 'evidence', attributes: { 'aria-label': 'Steps, made together' } }, ...rows);
}

/** `tests/greeting.test.ts · says goodbye`: what tells a fix from others that make the same change. */
export function whereOf({ edits, failures }: CycleFix): string {
  const files = edits.map(({ file }) => file).join(', ');
  const [id, ...others] = failures;
  if (others.length > 0) return `${files} · ${counted(failures.length, 'test')}`;
  const names = id === undefined ? undefined : namesOfId(id);
  // A file that fails as a whole has no test to name.
  return names === undefined ? files : `${files} · ${names}`;
}

/** Why it is not offered, or why a person must look. */
function reasons(fix: CycleFix): string[] {
  return [
    ...(fix.verdict.reason === undefined ? [] : [fix.verdict.reason]),
    ...(fix.stops ?? []).map(({ reason }) => reason),
  ];
}

function bodyOf(fix: CycleFix, options: FixCardOptions): Child[] {
  const change = fix.sourceChange;
  return [
    fix.evidence.length === 0
      ? undefined
      : element(
          'ul',
          { class: 'evidence' },
          ...fix.evidence.map((line) => element('li', {}, ...withCode(line))),
        ),
    ...(change === undefined
      ? []
      : [
          element(
            'p',
            { class: 'caption' },
            'Source change at ',
            sourceLink(
              change.location,
              options.inChat ? undefined : () => options.send({ type: 'openFixSource', fixId: fix.id }),
            ),
          ),
          renderDiff(change.excerpt, `Source change in ${change.location.file}`),
        ]),
    ...(fix.diff === ''
      ? []
      : [
          element('p', { class: 'caption' }, 'Change of the test'),
          renderDiff(fix.diff, `Diff of: ${oneLine(fix.title, 80)}`),
        ]),
    options.isRecorded ? undefined : element('p', { class: 'actions' }, ...actions(fix, options)),
  ];
}

const decisionTexts: Record<FixDecision, string> = {
  applied: 'applied',
  bug: 'recorded as a bug in the source',
  discarded: 'discarded',
  stale: 'out of date: the file changed',
  takenBack: 'taken back: its test still failed',
};

/** `verified · 3 runs of the file` */
function proofOf({ verdict: { verdict, kind, runs, scope } }: CycleFix): string {
  if (verdict === 'verified') return `verified · ${counted(runs, 'run')} of the ${scope}`;
  return kind === undefined ? verdict : `${verdict} · ${kind.replace('-', ' ')}`;
}

function badges(fix: CycleFix, decision: FixDecision | undefined): Child[] {
  return [
    element('span', { class: `badge verdict-${fix.verdict.verdict}` }, proofOf(fix)),
    element('span', { class: 'badge', title: trustTexts[fix.trust] }, trustNames[fix.trust]),
    element('span', { class: 'badge' }, fix.grade),
    element('span', { class: 'badge', title: 'Who proposed it' }, authorOf(fix)),
    decision === undefined
      ? undefined
      : element('span', { class: `badge decision-${decision}` }, decisionTexts[decision]),
  ];
}

/** Models and agents stand out by name; our own fixers have theirs. */
export function authorOf({ provider, origin }: CycleFix): string {
  return origin?.author === undefined ? provider : `by the ${origin.author}`;
}

const trustNames = { mechanical: 'mechanical', oracle: 'expectation', propose: 'your decision' };

const trustTexts = {
  mechanical: 'The meaning of the test does not change.',
  oracle: 'The expectation changes: is the new value right?',
  propose: 'Needs a decision by a person.',
};

function actions(fix: CycleFix, { decision, inChat, send }: FixCardOptions): Child[] {
  const open = decision === undefined || decision === 'stale';
  const offered =
    fix.verdict.verdict === 'verified' ||
    (!inChat && fix.trust === 'propose' && fix.verdict.verdict !== 'rejected');
  const title = oneLine(fix.title, 120);
  const name = (text: string, control: string): { attributes: Record<string, string> } => ({
    attributes: { 'aria-label': `${text}: ${title}`, 'data-control': control },
  });
  const acceptText =
    decision === 'stale'
      ? 'Try again'
      : fix.trust === 'mechanical'
        ? 'Apply'
        : fix.trust === 'oracle'
          ? 'Accept'
          : 'Apply anyway';
  return [
    open && offered
      ? button(acceptText, () => send({ type: 'accept', fixId: fix.id }), {
          ...name(acceptText, 'accept'),
          // Nothing invites to what looks wrong.
          class: fix.trust === 'propose' ? 'decide secondary' : 'decide',
        })
      : undefined,
    decision === undefined && offered && fix.expectation !== undefined
      ? button("It's a bug", () => send({ type: 'bug', fixId: fix.id }), {
          ...name("It's a bug", 'bug'),
          class: 'decide secondary',
        })
      : undefined,
    decision === 'discarded' && offered
      ? button('Offer again', () => send({ type: 'reopen', fixId: fix.id }), {
          ...name('Offer again', 'reopen'),
          class: 'decide secondary',
        })
      : undefined,
    inChat
      ? undefined
      : button('Open diff', () => send({ type: 'openDiff', fixId: fix.id }), {
          ...name('Open diff', 'diff'),
          class: 'link',
        }),
  ];
}
