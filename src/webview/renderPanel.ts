// Draws the whole panel from its model, in slices of a frame: a thousand cards never hold up the window.
import { reachText } from '../core/model/fixCounts.ts';
import type { CycleFix } from '../core/model/cycle.ts';
import type { CardHost } from './card.ts';
import { button, element, KeyedElements, setChildren, setResting, setText } from './dom.ts';
import { countsOf, filtered } from './filter.ts';
import type { FromPanel, PanelState } from './messages.ts';
import {
  sectionsOf,
  type FailureGroup,
  type FixGroup,
  type PanelModel,
  type Sections,
} from './panelModel.ts';
import { renderFailures } from './renderFailures.ts';
import { renderFix } from './renderFix.ts';
import { RecordingBar, type Step } from './recordingBar.ts';
import { Header } from './renderHeader.ts';
import { iterationTable, notes, onTrial } from './renderRest.ts';
import { isOpen } from './standing.ts';
import { Toolbar } from './toolbar.ts';
import type { KeptView, ViewState } from './viewState.ts';
import { oneLine } from '../core/model/visibleText.ts';

/** Making cards stops after this time and goes on in the next frame, ms. */
const sliceMs = 10;

interface Item {
  readonly key: string;
  /** What it is made from; the same objects mean the same element. */
  readonly from: readonly unknown[];
  readonly make: () => HTMLElement;
}

export interface Shown {
  readonly model: PanelModel;
  readonly state: PanelState;
  /** Of a recording. */
  readonly step: Step | undefined;
}

export class PanelView {
  readonly #root: HTMLElement;
  readonly #send: (message: FromPanel) => void;
  readonly #kept: KeptView;
  readonly #elements = new KeyedElements();
  readonly #header: Header;
  readonly #toolbar: Toolbar;
  readonly #recording: RecordingBar;
  readonly #body = element('div', { class: 'sections' });
  readonly #host: CardHost;
  #sections: { readonly of: PanelModel; readonly sections: Sections } | undefined;
  #sliceEnd = 0;
  #isWhole = true;

  /** `redraw` is called when the filter or the step of a recording changed. */
  constructor(root: HTMLElement, kept: KeptView, send: (message: FromPanel) => void, redraw: () => void) {
    this.#root = root;
    this.#send = send;
    this.#kept = kept;
    const filter = (change: Partial<ViewState>): void => {
      kept.change(change);
      redraw();
    };
    this.#header = new Header(send);
    this.#toolbar = new Toolbar(send, filter);
    this.#recording = new RecordingBar((step) => {
      kept.change({ step });
      redraw();
    });
    this.#host = {
      isUnfolded: (key) => kept.state.unfolded[key],
      folded: (key, unfolded) => kept.change({ unfolded: { ...kept.state.unfolded, [key]: unfolded } }),
    };
    const { banner, stepper } = this.#recording;
    // A decision is taken once; others may follow it before it is carried out.
    root.addEventListener('click', ({ target }) => {
      const pressed = target instanceof Element ? target.closest('.decide') : null;
      if (pressed !== null) setResting(pressed, true);
    });
    root.append(banner, stepper, this.#header.element, this.#toolbar.element, this.#body);
    this.#empty.append(
      'Nothing matches the filter. ',
      button('Show everything', () => filter({ show: 'all', search: '' }), { class: 'link' }),
    );
  }

  /** By group: the fixes that its button takes, which are those that are shown and wait. */
  readonly #open = new Map<string, readonly string[]>();
  readonly #empty = element('p', { class: 'hint' });

  /** Forgets every card, for another cycle. */
  clear(): void {
    this.#elements.clear();
    this.#sections = undefined;
  }

  /** True when everything is drawn; false when a further call in the next frame is needed. */
  render({ model, state, step }: Shown): boolean {
    this.#sliceEnd = performance.now() + sliceMs;
    this.#isWhole = true;
    const all = this.#sectionsOf(model);
    const { decisions } = state;
    const view = this.#kept.state;
    const counts = countsOf(model, all, decisions);
    const hasEnded = state.phase === 'ended' || state.phase === 'failed';
    const isRecorded = state.recording !== undefined;
    const decides = isRecorded ? 'never' : hasEnded ? 'now' : 'later';
    const root = this.#root;
    root.classList.toggle('decides', decides === 'now');
    root.classList.toggle('recorded', isRecorded);
    this.#recording.update(state.recording, step);
    this.#header.update(model, state);
    this.#toolbar.update({
      counts,
      mechanical: all.mechanical.flatMap(({ fixes }) => fixes).filter((fix) => isOpen(fix, decisions)).length,
      decides,
      isCutOff: state.cutOff === true,
      view,
    });
    const shown = this.#drawSections(filtered(all, view, decisions), model, state);
    const isFiltered = view.show !== 'all' || view.search !== '';
    setChildren(this.#body, shown.length === 0 && isFiltered && this.#isWhole ? [this.#empty] : shown);
    if (!state.busy) for (const each of root.querySelectorAll('.decide')) setResting(each, false);
    return this.#isWhole;
  }

  #sectionsOf(model: PanelModel): Sections {
    const known = this.#sections;
    // How far a step is changes several times a second, and nothing of this.
    if (known !== undefined && areSameCards(known.of, model)) return known.sections;
    const sections = sectionsOf(model);
    this.#sections = { of: model, sections };
    return sections;
  }

  #drawSections(sections: Sections, model: PanelModel, state: PanelState): HTMLElement[] {
    const list = (fixes: readonly CycleFix[], unfolded: boolean): HTMLElement[] =>
      this.#list(fixes.map((fix) => this.#fix(fix, state, 3, unfolded)));
    const isCopied = ({ tests }: FailureGroup): boolean => tests.some(({ id }) => id === state.copied);
    const hasEnded = state.phase === 'ended' || state.phase === 'failed';
    const isAll = this.#kept.state.show === 'all' && this.#kept.state.search === '';
    // The report may be drawn before the word that the cycle ended: such cards are made anew.
    const unfolded = hasEnded && sections.remaining.length <= 3;
    return [
      this.#section('expectations', this.#groups(sections.expectations, state)),
      this.#section('mechanical', this.#groups(sections.mechanical, state)),
      this.#section('proposals', list(sections.proposals, true)),
      isAll && model.onTrial.size > 0 ? onTrial(model, hasEnded) : undefined,
      this.#section(
        hasEnded ? 'remaining' : 'failing',
        this.#list(
          sections.remaining.map((group) => ({
            key: `test-${group.key}`,
            from: [...group.tests, isCopied(group), unfolded],
            make: () =>
              renderFailures(group, {
                unfolded,
                isRecorded: state.recording !== undefined,
                inChat: state.inChat === true,
                isCopied: isCopied(group),
                host: this.#host,
                send: this.#send,
              }),
          })),
        ),
      ),
      this.#section('declined', list(sections.declined, false)),
      ...(isAll
        ? this.#list([
            { key: 'iterations', from: [model.iterations], make: () => iterationTable(model) },
            { key: 'notes', from: [model.report, model.warnings], make: () => notes(model) },
          ])
        : []),
    ]
      .filter((section) => section !== undefined)
      .filter(({ hidden }) => hidden === false);
  }

  /** The elements that are made, and as many more as the slice allows. */
  #list(items: readonly Item[]): HTMLElement[] {
    const made: HTMLElement[] = [];
    for (const { key, from, make } of items) {
      const isDue = performance.now() < this.#sliceEnd || this.#elements.isCurrent(key, from);
      if (!isDue) this.#isWhole = false;
      const one = isDue ? this.#elements.get(key, from, make) : this.#elements.known(key);
      if (one !== undefined) made.push(one);
    }
    return made;
  }

  #section(key: keyof typeof headings, children: readonly HTMLElement[]): HTMLElement | undefined {
    if (children.length === 0) return undefined;
    const { title, hint } = headings[key];
    const made = this.#elements.get(`section-${key}`, [], () =>
      element(
        'section',
        { class: key, attributes: { 'aria-labelledby': `heading-${key}` } },
        element('h2', { id: `heading-${key}` }, title),
        hint === '' ? undefined : element('p', { class: 'hint' }, hint),
        element('div', { class: 'list' }),
      ),
    );
    fill(made, children);
    return made;
  }

  #fix(fix: CycleFix, state: PanelState, level: 3 | 4, unfolded: boolean): Item {
    const decision = state.decisions[fix.id];
    const isRecorded = state.recording !== undefined;
    const inChat = state.inChat === true;
    const options = { decision, level, isRecorded, inChat, unfolded, host: this.#host, send: this.#send };
    return { key: `fix-${fix.id}`, from: [fix, decision, level], make: () => renderFix(fix, options) };
  }

  #groups(groups: readonly FixGroup[], state: PanelState): HTMLElement[] {
    const unfolded = groups.length <= 20;
    return groups.flatMap((group) => {
      const [first] = group.fixes;
      if (first !== undefined && group.fixes.length === 1)
        return this.#list([this.#fix(first, state, 3, unfolded)]);
      return this.#group(group, state, unfolded) ?? [];
    });
  }

  /** One question for many places: the first of them shows its diff, the others wait folded. */
  #group(group: FixGroup, state: PanelState, unfolded: boolean): HTMLElement | undefined {
    const acceptAll = (): void =>
      this.#send({ type: 'acceptAll', fixIds: [...(this.#open.get(group.key) ?? [])] });
    const [made] = this.#list([
      { key: `group-${group.key}`, from: [], make: () => renderGroup(group, acceptAll) },
    ]);
    if (made === undefined) return undefined;
    const ids = group.fixes.filter((fix) => isOpen(fix, state.decisions)).map(({ id }) => id);
    this.#open.set(group.key, ids);
    const open = ids.length;
    made.classList.toggle('decided', open === 0);
    const accept = made.querySelector<HTMLElement>('.accept-all');
    if (accept !== null) {
      if (accept.parentElement !== null)
        accept.parentElement.hidden = open === 0 || state.recording !== undefined;
      setText(accept, acceptAllText(group, open));
      accept.setAttribute('aria-label', `${acceptAllText(group, open)}: ${changeText(group)}`);
    }
    const count = made.querySelector('.count');
    if (count !== null) setText(count, `: ${reachText(group.fixes)}`);
    fill(
      made,
      this.#list(group.fixes.map((fix, index) => this.#fix(fix, state, 4, unfolded && index === 0))),
    );
    return made;
  }
}

const areSameCards = (a: PanelModel, b: PanelModel): boolean =>
  a.fixes === b.fixes && a.failing === b.failing && a.report === b.report;

const headings = {
  expectations: {
    title: 'Changed expectations',
    hint: 'The source now gives a different value. Is the new value right, or is it a bug?',
  },
  mechanical: { title: 'Mechanical fixes', hint: 'The meaning of the tests does not change.' },
  proposals: {
    title: 'For you to decide',
    hint: 'Testmend cannot safely decide these for you. Review each before you apply it.',
  },
  failing: { title: 'Failing tests', hint: '' },
  remaining: { title: 'Still failing', hint: '' },
  declined: {
    title: 'Tried and not offered',
    hint: 'These failed in the sandbox or violate the fix policy.',
  },
};

function renderGroup(group: FixGroup, acceptAll: () => void): HTMLElement {
  const [first] = group.fixes;
  const change = first?.expectation;
  const heading =
    change === undefined
      ? [changeText(group)]
      : [element('del', {}, oneLine(change.old, 200)), ' → ', element('ins', {}, oneLine(change.new, 200))];
  return element(
    'div',
    { class: `group trust-${first?.trust ?? 'propose'}` },
    element('h3', {}, ...heading, element('span', { class: 'count' })),
    element('p', { class: 'actions' }, button('', acceptAll, { class: 'decide accept-all' })),
    element('div', { class: 'list' }),
  );
}

function acceptAllText({ fixes: [first] }: FixGroup, open: number): string {
  return `${first?.trust === 'mechanical' ? 'Apply' : 'Accept'} all ${open}`;
}

/** What all fixes of a group do; one that joins several says in its title also how many. */
function changeText({ fixes }: FixGroup): string {
  const change = fixes[0]?.expectation;
  if (change !== undefined) return `${oneLine(change.old, 80)} becomes ${oneLine(change.new, 80)}`;
  const [shortest = ''] = fixes.map(({ title }) => title).sort((a, b) => a.length - b.length);
  return oneLine(shortest, 200);
}

function fill(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const list = parent.querySelector('.list');
  if (list !== null) setChildren(list, children);
}
