// Which of the test files belong to the layer that was asked for (`--layer`), by the user's globs and the usual names.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import type { TestListing } from '../frameworks/discover.ts';
import { layerGlobsSchema, type Layer, type LayerGlobs } from '../model/settings.ts';
import { layerNote, layersBy, type LayerChoice } from '../run/layers.ts';

/** Throws a `no-tests` HumanError when no test file belongs to the layer, `bad-input` for a setting that is none. */
export async function testsOfLayer(layer: Layer, listing: TestListing): Promise<LayerChoice> {
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

/** For files that were chosen and all lie in other layers. */
export function outsideLayer({ layer, note }: LayerChoice): HumanError {
  return new HumanError('no-tests', `None of the chosen test files belongs to ${layer}. ${note}`, {
    remedy: 'Choose other files, or another layer.',
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
