// One fix as a card: what it changes, how sure that is, why, its diff, and what can be done with it.
import type { CycleFix } from '../core/model/cycle.ts';
import { button, disclosure, element, type Child } from './dom.ts';
import type { FixDecision, FromPanel } from './messages.ts';

export interface FixCardOptions {
  readonly decision: FixDecision | undefined;
  /** Buttons rest: the cycle runs or an action is under way. */
  readonly resting: boolean;
  readonly send: (message: FromPanel) => void;
}

export function renderFix(fix: CycleFix, options: FixCardOptions): HTMLElement {
  // What is decided makes room for what is not.
  const isOpen = options.decision === undefined;
  return element(
    'article',
    { class: `fix trust-${fix.trust}${options.decision === undefined ? '' : ' decided'}`, label: fix.title },
    element('h3', {}, fix.title),
    element('p', { class: 'badges' }, ...badges(fix, options.decision)),
    fix.verdict.reason === undefined ? undefined : element('p', { class: 'reason' }, fix.verdict.reason),
    ...(fix.stops ?? []).map((stop) => element('p', { class: 'reason' }, stop.reason)),
    fix.evidence.length === 0
      ? undefined
      : element('ul', { class: 'evidence' }, ...fix.evidence.map((line) => element('li', {}, line))),
    sourceChange(fix, isOpen),
    fix.diff === ''
      ? undefined
      : disclosure('Diff', isOpen && fix.diff.split('\n').length <= 30, renderDiff(fix.diff)),
    element('p', { class: 'actions' }, ...actions(fix, options)),
  );
}

const decisionTexts: Record<FixDecision, string> = {
  applied: 'applied',
  bug: 'marked as a bug in the source',
  discarded: 'discarded',
  stale: 'out of date: the file changed',
};

function badges(fix: CycleFix, decision: FixDecision | undefined): Child[] {
  const { verdict, runs, scope } = fix.verdict;
  const proof =
    verdict === 'verified' ? `verified · ${runs} ${runs === 1 ? 'run' : 'runs'} of the ${scope}` : verdict;
  return [
    element('span', { class: `badge verdict-${verdict}` }, proof),
    element('span', { class: 'badge', title: trustTexts[fix.trust] }, trustNames[fix.trust]),
    element('span', { class: 'badge' }, fix.grade),
    element(
      'span',
      { class: 'badge' },
      `${fix.failures.length} ${fix.failures.length === 1 ? 'test' : 'tests'}`,
    ),
    decision === undefined
      ? undefined
      : element('span', { class: `badge decision-${decision}` }, decisionTexts[decision]),
  ];
}

const trustNames = { mechanical: 'mechanical', oracle: 'expectation', propose: 'your decision' };

const trustTexts = {
  mechanical: 'The meaning of the test does not change.',
  oracle: 'The expectation changes: is the new value right?',
  propose: 'Needs a decision by a person.',
};

function sourceChange(fix: CycleFix, isOpen: boolean): Child {
  if (fix.sourceChange === undefined) return undefined;
  const { location, excerpt } = fix.sourceChange;
  return disclosure(`Source change: ${location.file}:${location.line}`, isOpen, renderDiff(excerpt));
}

/** A unified diff with its lines coloured; file headers are left out, the card names the file. */
export function renderDiff(diff: string): HTMLElement {
  const lines = diff
    .split('\n')
    .filter((line) => line !== '' && !/^(diff --git|index |--- |\\ No newline)/.test(line));
  const kinds: Record<string, string> = { '+': 'added', '-': 'removed', '@': 'hunk' };
  const rendered = lines.map((line) => {
    if (line.startsWith('+++ '))
      return element('span', { class: 'file' }, line.slice(4).replace(/^b\//, '') + '\n');
    return element('span', { class: kinds[line[0] ?? ''] ?? '' }, line + '\n');
  });
  return element('pre', { class: 'diff' }, ...rendered);
}

function actions(fix: CycleFix, { decision, resting, send }: FixCardOptions): Child[] {
  const open = decision === undefined;
  const offered = fix.verdict.verdict === 'verified' || fix.trust === 'propose';
  const rest = { disabled: resting };
  const acceptText =
    fix.trust === 'mechanical' ? 'Apply' : fix.trust === 'oracle' ? 'Accept' : 'Apply anyway';
  return [
    open && offered
      ? button(acceptText, () => send({ type: 'accept', fixId: fix.id }), {
          ...rest,
          // Nothing invites to what looks wrong.
          ...(fix.trust === 'propose' ? { class: 'secondary' } : {}),
          label: `${acceptText}: ${fix.title}`,
        })
      : undefined,
    open && offered && fix.expectation !== undefined
      ? button("It's a bug", () => send({ type: 'bug', fixId: fix.id }), {
          ...rest,
          class: 'secondary',
          label: `It's a bug: ${fix.title}`,
        })
      : undefined,
    button('Open diff', () => send({ type: 'openDiff', fixId: fix.id }), {
      class: 'link',
      label: `Open diff: ${fix.title}`,
    }),
  ];
}
