// The steps of a scenario file as an outline, each with what it works on.
import {
  dataOf,
  listAt,
  offsetsAt,
  parseTolerantly,
  textAt,
  valueAtPath,
  type DataPath,
} from './documentTree.ts';
import type { ScenarioFileKind } from '../../model/scenarioFile.ts';
import { partsOf } from './variables.ts';

export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'part' | 'step' | 'variable';
  /** Of a step: the written one, or the one by its place. */
  readonly stepId?: string;
  /** Offsets. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly OutlineItem[];
}

/** What can be read of a text that is not valid yet; empty where there are no steps. Throws nothing. */
export function outlineOf(kind: ScenarioFileKind, text: string): readonly OutlineItem[] {
  const document = parseTolerantly(text);
  const data = dataOf(document);
  const item = (path: DataPath, rest: Omit<OutlineItem, 'start' | 'end'>): readonly OutlineItem[] => {
    const offsets = offsetsAt(document, path);
    if (!offsets) return [];
    const start =
      typeof path.at(-1) === 'string' ? (offsetsAt(document, path, 'key')?.[0] ?? offsets[0]) : offsets[0];
    return [{ ...rest, start, end: start + text.slice(start, offsets[1]).trimEnd().length }];
  };
  const list = kind === 'component' ? 'parameters' : 'variables';
  const variables = listAt(data, [list]).flatMap((one, at) =>
    item([list, at], { name: textAt(one, ['name']) ?? '?', detail: '', kind: 'variable', children: [] }),
  );
  return [
    ...(variables.length === 0
      ? []
      : item([list], { name: list, detail: '', kind: 'part', children: variables })),
    ...partsOf(kind).flatMap((part) => {
      const steps = listAt(data, [part]).flatMap((step, at) =>
        item([part, at], {
          name: stepName(step, at),
          detail: detailOf(step),
          kind: 'step',
          stepId: textAt(step, ['id']) ?? `${part === 'steps' ? 'step' : part}-${at + 1}`,
          children: [],
        }),
      );
      return steps.length === 0
        ? []
        : item([part], { name: part, detail: '', kind: 'part', children: steps });
    }),
  ];
}

function stepName(step: unknown, at: number): string {
  const type = textAt(step, ['type']) ?? '?';
  const description = textAt(step, ['description']);
  return description === undefined || description === '' ? `${at + 1} ${type}${targetOf(step)}` : description;
}

const detailOf = (step: unknown): string =>
  [textAt(step, ['type']), textAt(step, ['id'])].filter((one) => one !== undefined).join(' · ');

/** What the step works on, in a few words. */
function targetOf(step: unknown): string {
  const config = valueAtPath(step, ['config']);
  const target =
    textAt(config, ['locator', 'displayName']) ??
    textAt(config, ['url']) ??
    textAt(config, ['component']) ??
    textAt(config, ['assertion']) ??
    textAt(config, ['for']);
  return target === undefined ? '' : ` ${target}`;
}
