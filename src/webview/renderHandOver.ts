// What the cycle learnt of a failing test: the values that met, the change of the source, why there is no fix, and how to pass it on.
import type { HandOver } from '../core/model/cycle.ts';
import { button, element, type Child } from './dom.ts';
import { withCode } from './inlineCode.ts';
import { renderDiff } from './renderDiff.ts';
import { oneLine } from '../core/model/visibleText.ts';

interface HandOverOptions {
  /** Of the test, for labels. */
  readonly title: string;
  /** Said above already. */
  readonly reason: string;
  readonly isCopied: boolean;
  /** Absent where no file opens. */
  readonly openSource: ((index: number) => void) | undefined;
  /** Absent where it cannot be copied. */
  readonly copy: (() => void) | undefined;
}

/** Further changes of the source that are linked; those below them are in what is copied. */
const linkedChanges = 8;

export function renderHandOver(pack: HandOver, options: HandOverOptions): Child[] {
  return [
    ...values(pack, options),
    ...sourceChanges(pack, options),
    ...refusals(pack, options),
    options.copy === undefined ? undefined : copying(options.copy, options),
  ];
}

function copying(copy: () => void, { title, isCopied }: HandOverOptions): HTMLElement {
  return element(
    'p',
    { class: 'actions' },
    button('Copy for a colleague or an agent', copy, {
      class: 'secondary',
      title: 'Everything known about the failure, as Markdown; secrets are redacted.',
      attributes: {
        'aria-label': `Copy for a colleague or an agent: ${oneLine(title, 120)}`,
        'data-control': 'copy',
      },
    }),
    isCopied ? element('span', { class: 'hint' }, 'Copied as Markdown.') : undefined,
  );
}

/** A place in a source, which opens where it can. */
export function sourceLink(
  { file, line }: { readonly file: string; readonly line: number },
  open: (() => void) | undefined,
): HTMLElement {
  if (open === undefined) return element('span', {}, `${file}:${line}`);
  return button(`${file}:${line}`, open, {
    class: 'link',
    attributes: {
      'aria-label': `Go to the source change at ${file}:${line}`,
      'data-control': `source-${file}-${line}`,
    },
  });
}

function values(pack: HandOver, { title }: HandOverOptions): Child[] {
  const signed = (sign: '-' | '+', text: string | undefined): string[] =>
    text === undefined ? [] : text.split('\n').map((line) => `${sign} ${line}`);
  const shown = pack.values.filter(({ expected, actual }) => expected !== undefined || actual !== undefined);
  return shown
    .slice(0, 3)
    .flatMap(({ matcher, expected, actual }) => [
      element('p', { class: 'caption' }, `Expected and actual value (${oneLine(matcher, 60)})`),
      renderDiff(
        [...signed('-', expected), ...signed('+', actual)].join('\n'),
        `Values of: ${oneLine(title, 80)}`,
      ),
    ]);
}

function sourceChanges({ sourceChanges: changes }: HandOver, { openSource }: HandOverOptions): Child[] {
  const [first, ...others] = changes;
  if (first === undefined) return [];
  const linked = others.slice(0, linkedChanges);
  const links = linked.flatMap((change, index) => [
    index === 0 ? '' : ', ',
    sourceLink(change, openSource && (() => openSource(index + 1))),
  ]);
  const rest = others.length - linked.length;
  return [
    element(
      'p',
      { class: 'caption' },
      'Source change at ',
      sourceLink(first, openSource && (() => openSource(0))),
    ),
    renderDiff(first.text, `Source change in ${first.file}`),
    others.length === 0
      ? undefined
      : element(
          'p',
          { class: 'caption' },
          'Changed too: ',
          ...links,
          rest > 0 ? `, and ${rest} more` : undefined,
        ),
  ];
}

function refusals({ refusals: told, candidates }: HandOver, { reason }: HandOverOptions): Child[] {
  const lines = [
    ...told.filter((refusal) => !reason.includes(refusal)),
    ...candidates.map(({ title, verdict, reasons }) => {
      const [first] = reasons;
      const isYours = `tried, and left for you to decide${first === undefined ? '.' : `: ${first}`}`;
      const why = verdict === 'verified' ? isYours : (first ?? verdict);
      return `${oneLine(title, 160)}: ${why}`;
    }),
  ];
  if (lines.length === 0) return [];
  return [
    element(
      'p',
      { class: 'caption' },
      candidates.length === 0 ? 'Why there is no fix' : 'Why nothing was applied',
    ),
    element(
      'ul',
      { class: 'evidence' },
      ...lines.map((line) => element('li', {}, ...withCode(oneLine(line, 600)))),
    ),
  ];
}
