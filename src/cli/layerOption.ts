// `--layer`: which of the test files belong to a layer, by the user's globs and the usual names.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import type { TestListing } from '../core/frameworks/discover.ts';
import { layerGlobsSchema, type Layer, type LayerGlobs } from '../core/model/settings.ts';
import { layerNote, layers, layersBy } from '../core/run/layers.ts';
import type { Options } from './options.ts';

export interface LayerChoice {
  /** Absolute. */
  readonly files: ReadonlySet<string>;
  readonly note: string;
  readonly layer: Layer;
}

/** Undefined without `--layer`. Throws a `no-tests` HumanError when no test file belongs to the layer. */
export async function chosenLayer(options: Options, listing: TestListing): Promise<LayerChoice | undefined> {
  const layer = options.choice('layer', layers);
  if (layer === undefined) return undefined;
  const layerOf = layersBy(await readLayerGlobs(listing.root));
  const known = new Map(listing.files.map((listed) => [listed.absolute, layerOf(listed)]));
  const files = new Set([...known].filter(([, own]) => own === layer).map(([file]) => file));
  const note = layerNote(layer, [...known.values()]);
  if (files.size > 0) return { files, note, layer };
  throw new HumanError('no-tests', `No test file belongs to the layer. ${note}`, {
    value: layer,
    remedy: 'Name its files in the setting testmend.layers (.vscode/settings.json).',
  });
}

/** `testmend.layers` of the workspace's settings for VS Code, so that both doors sort alike; what cannot be read counts as none. */
async function readLayerGlobs(root: string): Promise<LayerGlobs> {
  const file = path.join(root, '.vscode/settings.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined || !text.includes('testmend.layers')) return {};
  const { default: typescript } = await import('typescript');
  // It may hold comments and trailing commas.
  const config: unknown = typescript.parseConfigFileTextToJson(file, text).config;
  const value =
    typeof config === 'object' && config !== null && 'testmend.layers' in config
      ? config['testmend.layers']
      : {};
  const parsed = layerGlobsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HumanError('bad-input', 'The setting testmend.layers cannot be used.', {
    file,
    value: JSON.stringify(value),
    remedy: 'Write it as { "L2": ["globs"], "L3": ["globs"] }.',
  });
}
