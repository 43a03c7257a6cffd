// The fixers that `testmend fix` asks: ours, and a model or an agent where one is named.
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { mayTakeKey, readModelAddress } from '../core/base/modelAddress.ts';
import { outsiderSchema } from '../core/model/fix.ts';
import { agentFixer, builtInFixers, endpointFixer, fixerNamed, type Fixer } from '../core/engine/fixers.ts';
import { readModelKey } from './modelKey.ts';
import type { Options } from './options.ts';

/** Of the agent for the tests of one file, s. */
const agentSeconds = 300;

/**
 * Those that `--provider` names, else all that are on; with those that `--nursery` names. Throws a `usage` HumanError for unknown ones and
 * for a model or agent that cannot be asked.
 */
export function providersFor(options: Options, cacheFolder: string): readonly Fixer[] {
  const outside = [...modelOf(options, cacheFolder), ...agentOf(options)];
  const nursery = options.list('nursery');
  const builtIn = builtInFixers(nursery, '--nursery');
  const named = options.list('provider').map((id) => {
    if (outsiderSchema.safeParse(id).success && !outside.some((one) => one.id === id))
      throw new HumanError('usage', `--provider ${id} needs the ${id}.`, {
        value: id,
        remedy: `Name it with --${id}.`,
      });
    return fixerNamed(id, '--provider', outside);
  });
  if (named.length === 0) return [...builtIn, ...outside];
  return [...new Set([...named, ...nursery.map((id) => fixerNamed(id, '--nursery'))])];
}

const setBy = { url: '--model-url', model: '--model', key: '--model-key-file' };

function modelOf(options: Options, cacheFolder: string): readonly Fixer[] {
  const model = options.text('model');
  const url = options.text('model-url') ?? process.env['TESTMEND_MODEL_URL'];
  if (model === undefined) {
    const lonely = ['model-url', 'model-key-file'].find((name) => options.text(name) !== undefined);
    if (lonely === undefined) return [];
    throw new HumanError('usage', `--${lonely} needs the name of a model.`, {
      remedy: 'Name it with --model NAME.',
    });
  }
  const baseUrl = endpointOf(url);
  const key = readModelKey(options);
  if (key !== undefined && !mayTakeKey(baseUrl)) {
    throw new HumanError('usage', `The model key would be sent to ${baseUrl.origin} without encryption.`, {
      value: baseUrl.origin,
      remedy: 'Use an https address, or leave --model-key-file out.',
    });
  }
  const [tokens, cost] = [options.number('max-tokens'), options.number('max-cost')];
  return [
    endpointFixer(
      { baseUrl, model, setBy, ...(key === undefined ? {} : { key }) },
      { ...(tokens === undefined ? {} : { tokens }), ...(cost === undefined ? {} : { cost }) },
      cacheFolder,
    ),
  ];
}

function endpointOf(text: string | undefined): URL {
  const remedy =
    'Write --model-url URL, such as http://127.0.0.1:11434/v1 for Ollama, or set TESTMEND_MODEL_URL.';
  if (text === undefined)
    throw new HumanError('usage', '--model needs the address of an endpoint.', { remedy });
  const url = readModelAddress(text);
  if (url !== undefined) return url;
  throw new HumanError('usage', 'The model address must be an http or https URL without a user name.', {
    // What stands before an @ may be a password.
    ...(text.includes('@') ? {} : { value: text }),
    remedy,
  });
}

function agentOf(options: Options): readonly Fixer[] {
  const line = options.text('agent');
  if (line === undefined) {
    const lonely = ['agent-timeout', 'agent-jail', 'agent-reads', 'agent-writes'].find(
      (name) => options.text(name) !== undefined,
    );
    if (lonely === undefined) return [];
    throw new HumanError('usage', `--${lonely} needs an agent.`, {
      remedy: 'Name it with --agent "CMD".',
    });
  }
  const timeoutMs = (options.number('agent-timeout') ?? agentSeconds) * 1000;
  const jail = options.choice('agent-jail', ['auto', 'required', 'off']) ?? 'auto';
  const [reads = [], writes = []] = ['agent-reads', 'agent-writes'].map((name) =>
    options.list(name).map((place) => path.resolve(place)),
  );
  return [agentFixer(line, { timeoutMs, jail, access: { reads, writes } }, '--agent')];
}
