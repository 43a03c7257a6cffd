// What the engine starts with: the editor's initialization options, or the workspace folders with the defaults.
import type { InitializeParams } from 'vscode-languageserver/node';
import { z } from 'zod';
import { pathOf } from './fileUri.ts';
import { configurationSchema, rootSettingsSchema, type Configuration } from './messages.ts';

/** Settings that an editor without our extension may give for all of its folders, under the names of the settings. */
const plainSettingsSchema = rootSettingsSchema.omit({ root: true, uri: true }).partial();
const trustSchema = z.object({ trusted: z.unknown().optional() });

/**
 * Editors other than VS Code have no notion of trust: who configures the engine there trusts the folders, and nothing runs
 * before a command.
 */
export function readConfiguration(params: InitializeParams): Configuration {
  const given: unknown = params.initializationOptions;
  const own = configurationSchema.safeParse(given);
  if (own.success) return own.data;
  const settings = plainSettingsSchema.safeParse(given ?? {}).data ?? {};
  // Whatever else is wrong with what was given: only `true`, or nothing at all, is trust.
  const { trusted = true } = trustSchema.safeParse(given ?? {}).data ?? { trusted: false };
  // Only editors of the past send a single root.
  const single = 'rootUri' in params && typeof params.rootUri === 'string' ? [params.rootUri] : [];
  const uris = params.workspaceFolders?.map(({ uri }) => uri) ?? single;
  const roots = uris.flatMap((uri) => {
    const root = pathOf(uri);
    return root === undefined ? [] : [rootSettingsSchema.parse({ ...settings, root, uri })];
  });
  return { roots, trusted: trusted === true, hasOwnUi: false };
}
