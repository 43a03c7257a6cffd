// Finds again a value of a JSON answer whose path has changed (CONTRACTS S9).
import { letterSimilarity } from './similarity.ts';

/** The lowest confidence that heals. */
const leastApiConfidence = 0.7;
/** An answer of many thousand values is not looked through whole. */
const mostPaths = 20_000;

interface HealedApiPath {
  /** `data.user.fullName`, `items[0].price`. */
  readonly path: string;
  readonly value: unknown;
  /** 0..1: 0.7 · likeness of the last key + 0.3 · likeness of the whole path. */
  readonly confidence: number;
}

/**
 * The value that most likely stood at `path` (with or without `$.`), or undefined where nothing reaches 0.7, or two paths are equally like
 * it. Places in lists must be the same: another element of a list is another thing.
 */
export function healApiPath(path: string, body: unknown): HealedApiPath | undefined {
  const [best, second] = rankApiPaths(path, body);
  if (best === undefined || best.confidence < leastApiConfidence) return undefined;
  return second !== undefined && second.confidence === best.confidence ? undefined : best;
}

/** All values of the answer, the likeliest first. */
export function rankApiPaths(path: string, body: unknown): readonly HealedApiPath[] {
  const wanted = stepsOf(path);
  if (wanted.length === 0) return [];
  const text = pathOf(wanted);
  const numbers = placesOf(wanted);
  const lastKey = keyOf(wanted);
  return valuesIn(body)
    .filter(({ steps }) => numbers === '' || placesOf(steps) === numbers)
    .map(({ steps, value }) => ({
      path: pathOf(steps),
      value,
      confidence: rounded(
        0.7 * letterSimilarity(lastKey.toLowerCase(), keyOf(steps).toLowerCase()) +
          0.3 * letterSimilarity(text.toLowerCase(), pathOf(steps).toLowerCase()),
      ),
    }))
    .sort((one, other) => other.confidence - one.confidence);
}

type Step = string | number;

function valuesIn(body: unknown): { readonly steps: readonly Step[]; readonly value: unknown }[] {
  const found: { steps: readonly Step[]; value: unknown }[] = [];
  const queue: { steps: readonly Step[]; value: unknown }[] = [{ steps: [], value: body }];
  for (let at = 0; at < queue.length && found.length < mostPaths; at++) {
    const here = queue[at];
    if (here === undefined) break;
    if (here.steps.length > 0) found.push(here);
    if (Array.isArray(here.value))
      here.value.forEach((value: unknown, place) => queue.push({ steps: [...here.steps, place], value }));
    else if (typeof here.value === 'object' && here.value !== null)
      for (const [key, value] of Object.entries(here.value))
        queue.push({ steps: [...here.steps, key], value });
  }
  return found;
}

const stepsOf = (path: string): Step[] =>
  Array.from(
    path.replace(/^\$\.?/, '').matchAll(/\[(\d+)\]|\[(["'])(.*?)\2\]|([^.[\]]+)/g),
    ([, place, , quoted, plain]) => (place === undefined ? (quoted ?? plain ?? '') : Number(place)),
  );
const pathOf = (steps: readonly Step[]): string =>
  steps.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (/[.[\]]/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
const placesOf = (steps: readonly Step[]): string =>
  steps.filter((step) => typeof step === 'number').join(',');
const keyOf = (steps: readonly Step[]): string =>
  String(steps.findLast((step) => typeof step === 'string') ?? steps.at(-1) ?? '');
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
