// The fixers of a cycle that an editor starts: the built-in ones, and whoever the user has chosen to be asked after them.
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { mayTakeKey, readModelAddress } from '../core/base/modelAddress.ts';
import { agentProvider } from '../core/fixes/agent/agentProvider.ts';
import { readAgentCommand } from '../core/fixes/agent/agentCommand.ts';
import type { FixProvider } from '../core/fixes/fixProvider.ts';
import { answerCache } from '../core/fixes/model/answerCache.ts';
import { endpointModel } from '../core/fixes/model/chatEndpoint.ts';
import { modelProvider } from '../core/fixes/model/modelProvider.ts';
import { outsideWork } from '../core/fixes/outside/outsideWork.ts';
import { fixProviders } from '../core/fixes/providers.ts';
import type { Outside } from '../core/model/outside.ts';
import type { EditorModels } from './editorModels.ts';

const setBy = {
  url: 'testmend.fix.model.url',
  model: 'testmend.fix.model.name',
  key: 'the command "Testmend: Set Key of the Model Endpoint..."',
};

/** `cacheFolder`: of the root, absolute. Who cannot be asked is told in the report, and the built-in fixers go on. */
export function providersWith(
  outside: Outside,
  cacheFolder: string,
  editor: EditorModels,
): readonly FixProvider[] {
  return [...fixProviders, providerOf(outside, cacheFolder, editor)];
}

function providerOf(outside: Outside, cacheFolder: string, editor: EditorModels): FixProvider {
  const cache = answerCache(path.join(cacheFolder, 'answers'));
  switch (outside.kind) {
    case 'endpoint': {
      const { url, model, apiKey, limits } = outside;
      const baseUrl = readModelAddress(url);
      if (baseUrl === undefined || (apiKey !== undefined && !mayTakeKey(baseUrl)))
        return unavailable('model', 'Its address is none that it may be asked at.', `Look at ${setBy.url}.`);
      const key = apiKey === undefined ? {} : { key: apiKey };
      return modelProvider({ model: endpointModel({ baseUrl, model, setBy, ...key }), limits, cache });
    }
    case 'editorModel':
      return modelProvider({ model: editor.model(outside), limits: outside.limits, cache });
    case 'agent':
      try {
        const agent = readAgentCommand(outside.command, 'testmend.fix.agent.command');
        const { timeoutSeconds, jail = 'auto', reads = [], writes = [] } = outside;
        return agentProvider({ agent, timeoutMs: timeoutSeconds * 1000, jail, access: { reads, writes } });
      } catch (error) {
        if (!(error instanceof HumanError)) throw error;
        return unavailable('agent', error.message, error.details.remedy);
      }
    case 'unavailable':
      return unavailable(outside.asked, outside.reason, outside.remedy);
  }
}

/** Says why nobody was asked, where there was something to ask. */
function unavailable(asked: 'model' | 'agent', reason: string, remedy: string): FixProvider {
  return {
    id: asked,
    description: `Stands for the ${asked} that cannot be asked.`,
    propose: (context) => {
      if (outsideWork(context).length > 0) context.note?.(`The ${asked} was not asked: ${reason} ${remedy}`);
      return Promise.resolve([]);
    },
  };
}
