// Draws the whole panel from its model; called at most once a frame.
import { button, disclosure, element, KeyedElements, setChildren, type Child } from './dom.ts';
import type { FromPanel, PanelState } from './messages.ts';
import {
  headline,
  isOpen,
  percent,
  ratesOf,
  sentenceOf,
  sectionsOf,
  type ExpectationGroup,
  type PanelModel,
  type Sections,
} from './panelModel.ts';
import { renderFix } from './renderFix.ts';

export class PanelView {
  readonly #root: Element;
  readonly #send: (message: FromPanel) => void;
  readonly #elements = new KeyedElements();

  constructor(root: Element, send: (message: FromPanel) => void) {
    this.#root = root;
    this.#send = send;
  }

  render(model: PanelModel, state: PanelState): void {
    const sections = sectionsOf(model);
    setChildren(
      this.#root,
      [
        this.#header(model, state),
        this.#keyed(
          'bulk',
          [sections.mechanical.map((fix) => fix.id), state, model.report === undefined],
          () => this.#bulkActions(sections, state),
        ),
        this.#section(
          'expectations',
          'Changed expectations',
          hints.expectations,
          sections.expectations.map((group) => this.#group(group, state)),
        ),
        this.#section(
          'mechanical',
          'Mechanical fixes',
          hints.mechanical,
          sections.mechanical.map((fix) => this.#fix(fix, state)),
        ),
        this.#section(
          'proposals',
          'For you to decide',
          hints.proposals,
          sections.proposals.map((fix) => this.#fix(fix, state)),
        ),
        this.#keyed('trial', [...model.onTrial], () => onTrial(model)),
        this.#section(
          'remaining',
          model.report === undefined ? 'Failing tests' : 'Still failing',
          '',
          this.#remaining(sections),
        ),
        this.#section(
          'declined',
          'Tried and not offered',
          hints.declined,
          sections.declined.map((fix) => this.#fix(fix, state)),
        ),
        this.#keyed('iterations', model.iterations, () => iterationTable(model)),
        this.#keyed('notes', model.report?.notes, () => notes(model)),
      ].filter((child) => child !== undefined),
    );
  }

  #keyed(key: string, shown: unknown, make: () => Child): Node | undefined {
    const made = this.#elements.get(key, JSON.stringify(shown) ?? '', () => {
      const child = make();
      return child instanceof HTMLElement ? child : element('div', { class: 'empty' });
    });
    return made.classList.contains('empty') ? undefined : made;
  }

  #header(model: PanelModel, state: PanelState): Node | undefined {
    const rates = ratesOf(model);
    const text = headline(model, state);
    const reason = model.current?.reason ?? '';
    const step = model.current === undefined ? '' : sentenceOf(model.progress);
    const shown = [
      text,
      reason,
      step,
      rates,
      state.phase,
      state.folder,
      state.message,
      model.targetPassRate,
      model.report?.status,
    ];
    return this.#keyed('header', shown, () => {
      const running = state.phase === 'running' || state.phase === 'starting';
      const title = element('h1', { class: `status-${model.report?.status ?? state.phase}` }, text);
      title.setAttribute('aria-live', 'polite');
      return element(
        'header',
        {},
        element(
          'p',
          { class: 'folder' },
          state.folder,
          model.preset === '' ? '' : ` · preset ${model.preset}`,
        ),
        title,
        running && reason !== '' ? element('p', { class: 'hint' }, reason) : undefined,
        running && step !== '' ? element('p', { class: 'hint' }, step) : undefined,
        rateBar(rates, model.targetPassRate),
        state.message === undefined
          ? undefined
          : element('p', { class: `message ${state.message.level}`, role: 'status' }, state.message.text),
        element(
          'p',
          { class: 'actions' },
          running ? button('Stop', () => this.#send({ type: 'stop' })) : undefined,
          state.phase === 'ended' || state.phase === 'failed'
            ? button('Run again', () => this.#send({ type: 'restart' }), { class: 'secondary' })
            : undefined,
          button('Show log', () => this.#send({ type: 'showLog' }), { class: 'link' }),
        ),
      );
    });
  }

  #bulkActions(sections: Sections, state: PanelState): Child {
    const open = sections.mechanical.filter((fix) => isOpen(fix, state.decisions));
    const offered = [
      ...sections.expectations.flatMap((group) => group.fixes),
      ...sections.proposals,
      ...open,
    ];
    if (!offered.some((fix) => isOpen(fix, state.decisions))) return undefined;
    const resting = rests(state);
    return element(
      'p',
      { class: 'actions bulk' },
      open.length === 0
        ? undefined
        : button(`Apply all mechanical (${open.length})`, () => this.#send({ type: 'applyMechanical' }), {
            disabled: resting,
          }),
      button('Discard the rest', () => this.#send({ type: 'discard' }), {
        class: 'secondary',
        disabled: resting,
      }),
      resting && state.phase === 'running'
        ? element('span', { class: 'hint' }, 'Fixes can be applied when the cycle has ended.')
        : undefined,
    );
  }

  #section(key: string, title: string, hint: string, children: readonly Node[]): Node | undefined {
    if (children.length === 0) return undefined;
    const list = element('div', { class: 'list' });
    const made = this.#elements.get(`section-${key}`, title, () =>
      element(
        'section',
        { class: key },
        element('h2', {}, title),
        hint === '' ? undefined : element('p', { class: 'hint' }, hint),
        list,
      ),
    );
    setChildren(made.querySelector('.list') ?? list, children);
    return made;
  }

  #fix(fix: Sections['mechanical'][number], state: PanelState): Node {
    const decision = state.decisions[fix.id];
    const resting = rests(state);
    return this.#elements.get(
      // A decided fix is another element: it folds whatever was open before.
      `fix-${fix.id}${decision === undefined ? '' : '-decided'}`,
      JSON.stringify([fix.verdict, fix.state, fix.trust, decision, resting]),
      () => renderFix(fix, { decision, resting, send: this.#send }),
    );
  }

  #group(group: ExpectationGroup, state: PanelState): Node {
    const first = group.fixes[0];
    if (group.fixes.length === 1 && first !== undefined) return this.#fix(first, state);
    const open = group.fixes.filter((fix) => isOpen(fix, state.decisions)).length;
    const resting = rests(state);
    const made = this.#elements.get(
      `group-${group.key}`,
      JSON.stringify([open, resting, group.fixes.length]),
      () =>
        element(
          'div',
          { class: 'group' },
          element(
            'h3',
            {},
            element('del', {}, group.old),
            ' → ',
            element('ins', {}, group.new),
            ` in ${group.fixes.length} places`,
          ),
          open === 0
            ? undefined
            : element(
                'p',
                { class: 'actions' },
                button(
                  `Accept all ${open}`,
                  () => this.#send({ type: 'acceptGroup', old: group.old, new: group.new }),
                  { disabled: resting, label: `Accept all ${open}: ${group.old} becomes ${group.new}` },
                ),
              ),
          element('div', { class: 'list' }),
        ),
    );
    const list = made.querySelector('.list');
    if (list !== null)
      setChildren(
        list,
        group.fixes.map((fix) => this.#fix(fix, state)),
      );
    return made;
  }

  #remaining(sections: Sections): Node[] {
    return sections.remaining.map((test) =>
      this.#elements.get(`test-${test.id}`, JSON.stringify(test), () =>
        element(
          'article',
          { class: `test severity-${test.severity}` },
          element(
            'h3',
            {},
            button(test.title, () => this.#send({ type: 'reveal', testId: test.id }), {
              class: 'link',
              title: test.id,
            }),
          ),
          element(
            'p',
            { class: 'badges' },
            badge(test.severity),
            badge(faultTexts[test.fault]),
            element('span', { class: 'file' }, test.file),
          ),
          element('p', { class: 'reason' }, test.reason),
          disclosure('Failure', false, element('pre', { class: 'failure' }, test.message)),
        ),
      ),
    );
  }
}

const hints = {
  expectations: 'The source now gives another value. Is the new value right, or is it a bug?',
  mechanical: 'The meaning of the tests does not change.',
  proposals: 'Not safe to decide for you. Look at each before you apply it.',
  declined: 'These did not hold in the sandbox, or break the fix policy.',
};

const faultTexts = {
  test: 'fault: test',
  source: 'fault: source, fix required',
  environment: 'fault: environment',
  flaky: 'fault: flaky',
  unknown: 'fault: unknown',
};

function rests(state: PanelState): boolean {
  return state.busy || state.phase === 'running' || state.phase === 'starting' || state.phase === 'stopping';
}

function badge(text: string): HTMLElement {
  return element('span', { class: 'badge' }, text);
}

function rateBar(rates: { all: number | null; reviewed: number | null }, target: number): Child {
  if (rates.all === null) return undefined;
  const reviewed = rates.reviewed ?? rates.all;
  const text =
    `Pass rate ${percent(reviewed)}` +
    (reviewed === rates.all ? '' : `, ${percent(rates.all)} with unreviewed expectations`);
  const bar = element('div', { class: 'bar', role: 'img', label: text });
  for (const [name, value] of [
    ['all', rates.all],
    ['reviewed', reviewed],
  ] as const) {
    const part = element('span', { class: name });
    part.style.width = `${value}%`;
    bar.append(part);
  }
  return element(
    'div',
    { class: 'rate' },
    bar,
    element('p', {}, text, element('span', { class: 'hint' }, ` · target ${percent(target)}`)),
  );
}

function onTrial(model: PanelModel): Child {
  if (model.onTrial.size === 0) return undefined;
  const rows = [...model.onTrial.values()].map(({ title }) => element('li', {}, title));
  return element(
    'section',
    { class: 'trial' },
    element('h2', {}, 'On trial in the sandbox'),
    element('ul', {}, ...rows),
  );
}

function iterationTable(model: PanelModel): Child {
  if (model.iterations.length === 0) return undefined;
  const head = ['#', 'Strategy', 'Scope', 'Passed', 'Pass rate', 'Reviewed'].map((text) =>
    element('th', {}, text),
  );
  const rows = model.iterations.map((record) => {
    const cells = [
      `${record.iteration}`,
      record.strategy,
      record.scope,
      `${record.passed} of ${record.total}`,
      percent(record.pass_rate),
      percent(record.pass_rate_reviewed),
    ];
    return element('tr', { title: record.strategy_reason }, ...cells.map((text) => element('td', {}, text)));
  });
  return element(
    'section',
    { class: 'iterations' },
    element('h2', {}, 'Iterations'),
    element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows)),
  );
}

function notes(model: PanelModel): Child {
  if (model.report === undefined || model.report.notes.length === 0) return undefined;
  return element(
    'section',
    { class: 'notes' },
    element('h2', {}, 'Notes'),
    element('ul', {}, ...model.report.notes.map((note) => element('li', {}, note))),
  );
}
