// Every test of the run by its file, with a search and a filter; the rows of a file are made when it is opened.
import type { ReportedTest } from '../../core/model/runReport.ts';
import { fullName } from '../../core/model/testName.ts';
import { oneLine } from '../../core/model/visibleText.ts';
import { breakable, button, element, setText } from '../dom.ts';
import { counted } from '../standing.ts';
import { duration } from './figures.ts';
import { outcomeRow } from './outcomeRow.ts';

const kinds = ['all', 'failed', 'flaky', 'skipped', 'passed'] as const;
type Kind = (typeof kinds)[number];
const kindNames = { all: 'All', failed: 'Failed', flaky: 'Flaky', skipped: 'Skipped', passed: 'Passed' };

const filesAtOnce = 200;
/** Files of so few tests that fit a search stand open. */
const openUpTo = 50;

export class TestList {
  readonly element: HTMLElement;
  readonly #tests: readonly ReportedTest[];
  readonly #files = element('div', { class: 'list' });
  readonly #told = element('p', { class: 'hint', attributes: { role: 'status' } });
  readonly #search = document.createElement('input');
  readonly #buttons: ReadonlyMap<Kind, HTMLElement>;
  #kind: Kind = 'all';
  /** Stands open, however many tests it has. */
  #shown: string | undefined;

  constructor(tests: readonly ReportedTest[]) {
    this.#tests = tests;
    this.#buttons = new Map(
      kinds
        .filter((kind) => kind === 'all' || tests.some((test) => isOf(test, kind)))
        .map((kind) => [
          kind,
          button(kindNames[kind], () => this.#show(kind, this.#search.value), { class: 'kind' }),
        ]),
    );
    this.#search.type = 'search';
    this.#search.placeholder = 'Search';
    this.#search.setAttribute('aria-label', 'Search tests by name and file');
    this.#search.addEventListener('input', () => this.#draw());
    const filter = element(
      'div',
      { class: 'filter', attributes: { role: 'group', 'aria-label': 'Filter' } },
      ...this.#buttons.values(),
      this.#search,
    );
    this.element = element(
      'section',
      { class: 'all-tests', attributes: { 'aria-labelledby': 'heading-all-tests' } },
      element('h2', { id: 'heading-all-tests' }, 'All tests'),
      element('div', { class: 'toolbar' }, filter),
      this.#told,
      this.#files,
    );
    this.#draw();
  }

  /** The search takes the focus. */
  search(): void {
    this.#search.focus();
  }

  /** Shows this test, whatever was searched for. */
  show(id: string): void {
    const test = this.#tests.find((one) => one.id === id);
    if (test === undefined) return;
    this.#shown = test.file;
    this.#show('all', test.file);
    const rows = [...this.#files.querySelectorAll<HTMLElement>('[data-id]')];
    const row = rows.find((one) => one.dataset['id'] === id);
    row?.scrollIntoView({ block: 'center' });
    row?.focus();
  }

  #show(kind: Kind, search: string): void {
    this.#kind = kind;
    this.#search.value = search;
    this.#draw();
  }

  #draw(): void {
    const words = this.#search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const fits = (test: ReportedTest): boolean => {
      const text = `${test.file} ${fullName(test)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const found = this.#tests.filter((test) => isOf(test, this.#kind) && fits(test));
    const byFile = new Map<string, ReportedTest[]>();
    for (const test of found) {
      const own = byFile.get(test.file);
      if (own === undefined) byFile.set(test.file, [test]);
      else own.push(test);
    }
    const files = [...byFile].map(([file, own]) =>
      fileOf(file, own, found.length <= openUpTo || file === this.#shown),
    );
    for (const [kind, made] of this.#buttons) made.setAttribute('aria-pressed', String(kind === this.#kind));
    setText(this.#told, `${counted(found.length, 'test')} in ${counted(byFile.size, 'file')}`);
    this.#files.replaceChildren(...files.slice(0, filesAtOnce).map((make) => make()));
    if (files.length <= filesAtOnce) return;
    const more = button(`Show all ${files.length.toLocaleString('en')} files`, () =>
      more.replaceWith(...files.slice(filesAtOnce).map((make) => make())),
    );
    this.#files.append(more);
  }
}

function isOf({ outcome, isFlaky }: ReportedTest, kind: Kind): boolean {
  if (kind === 'all') return true;
  if (kind === 'flaky') return isFlaky === true;
  return kind === 'failed' ? outcome === 'failed' || outcome === 'errored' : outcome === kind;
}

function fileOf(file: string, tests: readonly ReportedTest[], open: boolean): () => HTMLElement {
  return () => {
    const red = tests.filter((test) => isOf(test, 'failed')).length;
    const time = tests.reduce((sum, { durationMs }) => sum + durationMs, 0);
    const told = `${red === 0 ? '' : `${red} failed · `}${counted(tests.length, 'test')} · ${duration(time)}`;
    const summary = element(
      'summary',
      {},
      element(
        'span',
        { class: red === 0 ? 'mark good' : 'mark bad', attributes: { 'aria-hidden': 'true' } },
        red === 0 ? '✓' : '✗',
      ),
      element('span', { class: 'text' }, breakable(file)),
      element('span', { class: 'file' }, told),
    );
    const made = element('details', { class: 'file-of-tests' }, summary);
    const fill = (): void => {
      if (made.querySelector('ul') === null) made.append(element('ul', {}, ...tests.map(rowOf)));
    };
    made.addEventListener('toggle', fill, { once: true });
    if (open) {
      fill();
      made.setAttribute('open', '');
    }
    return made;
  };
}

const outcomeMarks = { passed: '✓', failed: '✗', errored: '✗', skipped: '○' };

function rowOf(test: ReportedTest): HTMLElement {
  const { id, line, outcome, durationMs, outcomes, isFlaky, quarantined } = test;
  const made = element(
    'li',
    { class: outcome, attributes: { 'data-id': id, tabindex: '-1' } },
    element('span', { class: 'mark', attributes: { 'aria-hidden': 'true' } }, outcomeMarks[outcome]),
    element('span', { class: 'unseen' }, `${outcome}: `),
    element('span', { class: 'text' }, oneLine(fullName(test), 300)),
    isFlaky === true ? element('span', { class: 'badge flaky' }, 'flaky') : undefined,
    quarantined === true ? element('span', { class: 'badge flaky' }, 'quarantined') : undefined,
    outcomeRow(outcomes),
    element('span', { class: 'file' }, `line ${line} · ${duration(durationMs)}`),
  );
  return made;
}
