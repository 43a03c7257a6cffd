// The fixers that a host can have a cycle ask: the built-in ones, and a model or an agent where somebody names one.
import path from 'node:path';
import { agentProvider, type AgentOptions } from '../fixes/agent/agentProvider.ts';
import { readAgentCommand } from '../fixes/agent/agentCommand.ts';
import type { Outsider } from '../model/fix.ts';
import type { FixProvider } from '../fixes/fixProvider.ts';
import { answerCache } from '../fixes/model/answerCache.ts';
import { endpointModel, type ChatEndpoint } from '../fixes/model/chatEndpoint.ts';
import type { ChatModel } from '../fixes/model/chatModel.ts';
import { modelProvider, type ModelLimits } from '../fixes/model/modelProvider.ts';
import { outsideWork } from '../fixes/outside/outsideWork.ts';
import { askedProviders, fixProviderNamed } from '../fixes/providers.ts';

export type { ChatAnswer, ChatModel, ChatQuestion } from '../fixes/model/chatModel.ts';
export type Fixer = FixProvider;

/**
 * Ours, with those of the nursery that are named. Throws a `usage` HumanError for unknown names; `givenWith`: the option or setting that
 * holds them.
 */
export function builtInFixers(nursery: readonly string[], givenWith: string): readonly Fixer[] {
  return askedProviders(nursery.map((id) => fixProviderNamed(id, givenWith).id));
}

/** Ours of that name, or one of `others`. Throws a `usage` HumanError where there is none; `givenWith`: the option or setting that names it. */
export function fixerNamed(id: string, givenWith: string, others: readonly Fixer[] = []): Fixer {
  return fixProviderNamed(id, givenWith, others);
}

/** Asks a model, within limits for the whole cycle; `cacheFolder`: of the root, absolute. */
export function modelFixer(model: ChatModel, limits: ModelLimits, cacheFolder: string): Fixer {
  return modelProvider({ model, limits, cache: answerCache(path.join(cacheFolder, 'answers')) });
}

/** Asks the model behind an address. */
export function endpointFixer(endpoint: ChatEndpoint, limits: ModelLimits, cacheFolder: string): Fixer {
  return modelFixer(endpointModel(endpoint), limits, cacheFolder);
}

/** `givenWith`: the option or setting that holds the line. Throws a `usage` HumanError for a line that is no command of an agent. */
export function agentFixer(line: string, rest: Omit<AgentOptions, 'agent'>, givenWith: string): Fixer {
  return agentProvider({ agent: readAgentCommand(line, givenWith), ...rest });
}

/** Says why nobody was asked, where there was something to ask. */
export function unavailableFixer(asked: Outsider, reason: string, remedy: string): Fixer {
  return {
    id: asked,
    description: `Takes the place of the ${asked} that cannot be asked.`,
    propose: (context) => {
      if (outsideWork(context).length > 0) context.note?.(`The ${asked} was not asked: ${reason} ${remedy}`);
      return Promise.resolve([]);
    },
  };
}
