// The fixers of a cycle that an editor starts: the built-in ones, and whoever the user has chosen to be asked after them.
import { HumanError } from '../core/base/humanError.ts';
import { mayTakeKey, readModelAddress } from '../core/base/modelAddress.ts';
import {
  agentFixer,
  endpointFixer,
  modelFixer,
  unavailableFixer,
  type Fixer,
} from '../core/engine/fixers.ts';
import type { Outside } from '../core/model/outside.ts';
import type { EditorModels } from './editorModels.ts';

const setBy = {
  url: 'testmend.fix.model.url',
  model: 'testmend.fix.model.name',
  key: 'the command "Testmend: Set Key of the Model Endpoint..."',
};

/** `builtIn`: those that are on; `cacheFolder`: of the root, absolute. Who cannot be asked is told in the report, and the built-in fixers go on. */
export function providersWith(
  builtIn: readonly Fixer[],
  outside: Outside,
  cacheFolder: string,
  editor: EditorModels,
): readonly Fixer[] {
  return [...builtIn, fixerOf(outside, cacheFolder, editor)];
}

function fixerOf(outside: Outside, cacheFolder: string, editor: EditorModels): Fixer {
  switch (outside.kind) {
    case 'endpoint': {
      const { url, model, apiKey, limits } = outside;
      const baseUrl = readModelAddress(url);
      if (baseUrl === undefined || (apiKey !== undefined && !mayTakeKey(baseUrl)))
        return unavailableFixer('model', 'The endpoint address is not allowed.', `Check ${setBy.url}.`);
      const key = apiKey === undefined ? {} : { key: apiKey };
      return endpointFixer({ baseUrl, model, setBy, ...key }, limits, cacheFolder);
    }
    case 'editorModel':
      return modelFixer(editor.model(outside), outside.limits, cacheFolder);
    case 'agent':
      try {
        const { timeoutSeconds, jail = 'auto', reads = [], writes = [] } = outside;
        const rest = { timeoutMs: timeoutSeconds * 1000, jail, access: { reads, writes } };
        return agentFixer(outside.command, rest, 'testmend.fix.agent.command');
      } catch (error) {
        if (!(error instanceof HumanError)) throw error;
        return unavailableFixer('agent', error.message, error.details.remedy);
      }
    case 'unavailable':
      return unavailableFixer(outside.asked, outside.reason, outside.remedy);
  }
}
