// Which layer of testing a test file belongs to (CONTRACTS F1): unit, integration or end to end, by where it lies and its name.
import picomatch from 'picomatch';
import type { FrameworkId } from '../model/testNode.ts';
import { layerSchema, type Layer, type LayerGlobs } from '../model/settings.ts';

interface LayeredFile {
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly framework: FrameworkId;
}

export const layers: readonly Layer[] = layerSchema.options;

/** The part of a workspace's tests that a run or a cycle is limited to. */
export interface LayerChoice {
  readonly layer: Layer;
  /** Its test files, absolute. */
  readonly files: ReadonlySet<string>;
  /** How many test files each layer has, as a sentence. */
  readonly note: string;
}

/**
 * Tells layers: a file that globs name belongs to theirs (the highest of several). Else the convention decides for layers without
 * globs: the name (`cart.e2e.test.ts`), then the folders from the inside out, then the framework. What matches nothing is L1.
 */
export function layersBy(globs: LayerGlobs = {}): (file: LayeredFile) => Layer {
  const named = layers.toReversed().flatMap((layer) => {
    const own = globs[layer];
    return own === undefined || own.length === 0
      ? []
      : [{ layer, matches: picomatch([...own], { dot: true }) }];
  });
  const decided = new Set(named.map(({ layer }) => layer));
  return (test) => {
    const byGlob = named.find(({ matches }) => matches(test.file));
    if (byGlob) return byGlob.layer;
    const usual = usualLayer(test);
    return decided.has(usual) ? 'L1' : usual;
  };
}

function usualLayer({ file, framework }: LayeredFile): Layer {
  const folders = file.split('/');
  const name = folders.pop() ?? '';
  // The first word of a name is what it tests: `system.test.ts` tests a system, `cart.system.test.ts` is a test of all of it.
  const [subject = '', ...words] = name.toLowerCase().split(/[._-]/);
  for (const word of [...words, ...(subject === 'test' ? [] : [subject].filter((one) => clear.has(one)))]) {
    const layer = meaning.get(word);
    if (layer !== undefined) return layer;
  }
  for (let index = folders.length - 1; index >= 0; index--) {
    const folder = (folders[index] ?? '').toLowerCase().replace(/[._-]?tests?$|^tests?[._-]/, '');
    const layer = meaning.get(folder);
    // `src/system/` is a part of the product; `test/system/` says what kind of tests lie there.
    const isForTests = index === 0 || folders.slice(0, index).some((one) => testFolder.test(one));
    if (layer !== undefined && (clear.has(folder) || isForTests)) return layer;
  }
  return ['playwright', 'cypress', 'maestro', 'scenario'].includes(framework) ? 'L3' : 'L1';
}

const meaning: ReadonlyMap<string, Layer> = new Map([
  ['unit', 'L1'],
  ['integration', 'L2'],
  ['integ', 'L2'],
  ['int', 'L2'],
  ['functional', 'L2'],
  ['contract', 'L2'],
  ['e2e', 'L3'],
  ['end-to-end', 'L3'],
  ['endtoend', 'L3'],
  ['playwright', 'L3'],
  ['cypress', 'L3'],
  ['cy', 'L3'],
  ['system', 'L3'],
  ['acceptance', 'L3'],
]);
/** Words that mean nothing else. */
const clear: ReadonlySet<string> = new Set([
  'unit',
  'integration',
  'e2e',
  'end-to-end',
  'playwright',
  'cypress',
]);
const testFolder = /^(?:tests?|__tests__|specs?|testing)$/i;

/** "Layer L2: 3 of 20 test files (L1: 12, L3: 5)." */
export function layerNote(chosen: Layer, all: readonly Layer[]): string {
  const count = (layer: Layer): number => all.filter((one) => one === layer).length;
  const others = layers.filter((layer) => layer !== chosen).map((layer) => `${layer}: ${count(layer)}`);
  return `Layer ${chosen}: ${count(chosen)} of ${all.length} test files (${others.join(', ')}).`;
}
