// Which cards are shown: by what they ask of the user, and by the words that are searched.
import type { CycleFix } from '../core/model/cycle.ts';
import { fullName } from '../core/model/testName.ts';
import type { FixDecision } from './messages.ts';
import type { FailureGroup, FixGroup, PanelModel, Sections } from './panelModel.ts';
import { isOpen, toDecide } from './standing.ts';
import type { FilterKind, ViewState } from './viewState.ts';

type Decisions = Readonly<Record<string, FixDecision>>;

/** The sections with the cards that pass the filter. */
export function filtered(
  sections: Sections,
  { show, search }: Pick<ViewState, 'show' | 'search'>,
  decisions: Decisions,
): Sections {
  const wanted = search.trim().toLowerCase();
  if (show === 'all' && wanted === '') return sections;
  const has = (...texts: readonly string[]): boolean =>
    wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted));
  const fix = (each: CycleFix): boolean =>
    (show === 'all' ||
      (show === 'decide' && isOpen(each, decisions)) ||
      (show === 'decided' && !isOpen(each, decisions))) &&
    has(each.title, ...each.failures, ...each.edits.map(({ file }) => file));
  const groups = (all: readonly FixGroup[]): FixGroup[] =>
    all
      .map((group) => ({ ...group, fixes: group.fixes.filter(fix) }))
      .filter((group) => group.fixes.length > 0);
  const declined = show === 'all' ? sections.declined.filter(fix) : [];
  const failures = show === 'all' || show === 'failing' ? sections.remaining : [];
  return {
    mechanical: groups(sections.mechanical),
    expectations: groups(sections.expectations),
    proposals: sections.proposals.filter(fix),
    declined,
    remaining: failures.flatMap((group) => matching(group, has)),
  };
}

function matching(group: FailureGroup, has: (...texts: readonly string[]) => boolean): FailureGroup[] {
  const tests = group.tests.filter((test) =>
    has(test.id, test.file, fullName(test), test.message, test.reason),
  );
  return tests.length === 0 ? [] : [{ key: group.key, tests }];
}

/** How many fixes or tests each kind of the filter shows. */
export function countsOf(
  model: PanelModel,
  sections: Sections,
  decisions: Decisions,
): Readonly<Record<FilterKind, number>> {
  const failing = sections.remaining.reduce((sum, { tests }) => sum + tests.length, 0);
  const decided = [...model.fixes.keys()].filter((id) => decisions[id] !== undefined).length;
  return { all: model.fixes.size + failing, decide: toDecide(model, decisions).length, failing, decided };
}
