// Whom a fix cycle may ask beside the built-in fixers: read from the settings, agreed to by the user, with the key it needs.
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { mayTakeKey, readModelAddress } from '../../core/base/modelAddress.ts';
import type { Outsider } from '../../core/model/fix.ts';
import type { AgentJail, Outside, OutsideLimits } from '../../core/model/outside.ts';
import { rootAt } from '../folders.ts';
import { setting } from '../settings.ts';
import type { Consents, Receiver } from './consents.ts';
import type { EditorModels } from './editorModels.ts';
import type { EndpointKeys } from './endpointKeys.ts';

/** Of the workspace: the model that was picked among several, by folder. */
const pickedKey = (root: string): string => `testmend.pickedModel:${root}`;

/** Whom the user lets a cycle ask; nobody where it is absent. */
export interface AskedOutside {
  readonly outside?: Outside;
}
type Chosen = AskedOutside | undefined;

/** What the settings of a folder say. */
interface Wishes {
  readonly url: URL | undefined;
  readonly model: string;
  readonly command: string;
  readonly timeoutSeconds: number;
  readonly jail: AgentJail;
  /** Paths as they are written. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly limits: OutsideLimits;
}

interface Asked extends Wishes {
  /** Absolute path. */
  readonly root: string;
  /** Its name, for people. */
  readonly folder: string;
}

interface OutsideParts {
  readonly consents: Consents;
  readonly keys: EndpointKeys;
  readonly models: EditorModels;
  readonly kept: vscode.Memento;
}

export class OutsideChoice {
  readonly #parts: OutsideParts;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  /**
   * What a cycle of this root (absolute) is to be started with; undefined when the user wants none started. Who cannot be asked is
   * told in the report of the cycle.
   */
  async choose(root: string): Promise<AskedOutside | undefined> {
    const folder = rootAt(root)?.folder;
    const scope = folder?.uri ?? vscode.Uri.file(root);
    const name = folder?.name ?? root;
    // All at once: they may change while the user is asked.
    const asked = { root, folder: name, ...wishesOf(scope) };
    switch (setting('fix.provider', scope)) {
      case 'builtIn':
        return {};
      case 'endpoint':
        return this.#endpoint(asked);
      case 'editorModel':
        return this.#editorModel(asked);
      case 'agent':
        return this.#agent(asked);
    }
  }

  async #endpoint({ root, folder, url, model, limits }: Asked): Promise<Chosen> {
    if (url === undefined)
      return unavailable('model', 'testmend.fix.model.url is not an http or https address without a user name.', 'Set it, for example to http://127.0.0.1:11434/v1 for Ollama.'); // prettier-ignore
    if (model === '')
      return unavailable(
        'model',
        'testmend.fix.model.name is empty.',
        'Set it to the name of a model at the endpoint.',
      );
    const apiKey = await this.#parts.keys.keyFor(url);
    if (apiKey === undefined && this.#parts.keys.standsInEnvironment(url))
      return unavailable('model', 'Its key is in the environment variable TESTMEND_MODEL_KEY, where tests and agents can read it.', 'Start VS Code without that variable, and set the key with "Testmend: Set Key of the Model Endpoint...".'); // prettier-ignore
    if (apiKey !== undefined && !mayTakeKey(url))
      return unavailable('model', `The key for ${url.origin} would be sent without encryption.`, 'Use an https address, or run "Testmend: Forget Keys and Consents of Models".'); // prettier-ignore
    const consent = await this.#parts.consents.ask(root, {
      // Another path of a gateway may be another tenant, and more to spend another question.
      id: [url.href, model, limits.tokens ?? '', limits.cost ?? ''].join('\n'),
      question: `Testmend will send failing tests of ${folder} and the code around them to ${url.href}. Continue?`,
      detail: `The model ${model} is asked about tests that no built-in fixer mends. ${limitText(limits)}${apiKey === undefined ? '' : ` Your key for ${url.origin} is sent with each question.`} None of its answers is applied unless you accept it.`,
    });
    const key = apiKey === undefined ? {} : { apiKey };
    return answerTo(consent, 'model', { kind: 'endpoint', url: url.href, model, ...key, limits });
  }

  async #editorModel({ root, folder, model: wanted, limits }: Asked): Promise<Chosen> {
    const { models, consents } = this.#parts;
    const all = await models.all();
    if (all.length === 0)
      return unavailable('model', 'VS Code provides no language model.', 'Install an extension that provides one and sign in, or choose another testmend.fix.provider.'); // prettier-ignore
    const fits = wanted === '' ? all : all.filter((model) => isCalled(model, wanted));
    if (fits.length === 0)
      return unavailable(
        'model',
        `VS Code provides no language model "${wanted}".`,
        `It provides ${listed(all)}.`,
      );
    const model = await this.#pick(root, fits);
    if (model === undefined) return undefined;
    const label = `${model.name} (${model.vendor})`;
    const consent = await consents.ask(root, {
      id: `editor:${model.id}`,
      question: `Testmend will send failing tests of ${folder} and the code around them to the language model ${label} of VS Code. Continue?`,
      detail:
        'It is asked about tests that no built-in fixer mends. None of its answers is applied unless you accept it.',
    });
    if (consent === 'given') models.allow(model.id);
    return answerTo(consent, 'model', { kind: 'editorModel', id: model.id, name: model.name, limits });
  }

  async #agent({ root, folder, command, timeoutSeconds, jail, ...given }: Asked): Promise<Chosen> {
    if (command === '')
      return unavailable('agent', 'testmend.fix.agent.command is empty.', 'Set it, for example to claude, codex, aider, or a command with {taskFile}.'); // prettier-ignore
    const [reads = [], writes = []] = [given.reads, given.writes].map((all) =>
      all.map((one) => placeAt(root, one)),
    );
    const receiver: Receiver = {
      // More that it may do is another question.
      id: [
        `agent:${command}`,
        ...(jail === 'off' ? ['no jail'] : []),
        ...reads.map((place) => `reads ${place}`),
        ...writes.map((place) => `writes ${place}`),
      ].join('\n'),
      question: `Testmend will start the agent "${command}" in a copy of ${folder}. Continue?`,
      detail: `${jailText[jail]} ${accessText(reads, writes)}It may send your code to its own service. None of its changes is applied unless you accept it.`,
    };
    const consent = await this.#parts.consents.ask(root, receiver);
    return answerTo(consent, 'agent', { kind: 'agent', command, timeoutSeconds, jail, reads, writes });
  }

  /** The only one, the one picked before, or the one that the user picks now. */
  async #pick(
    root: string,
    models: readonly vscode.LanguageModelChat[],
  ): Promise<vscode.LanguageModelChat | undefined> {
    const { kept } = this.#parts;
    const before = models.find(({ id }) => id === kept.get(pickedKey(root)));
    if (models.length === 1 || before !== undefined) return before ?? models[0];
    const choice = await vscode.window.showQuickPick(
      models.map((model) => ({ label: model.name, description: model.vendor, detail: model.id, model })),
      {
        title: 'Which language model should be asked for fixes?',
        placeHolder: 'Remembered for this workspace; testmend.fix.model.name sets one permanently',
        // A panel that takes the focus meanwhile is no answer.
        ignoreFocusOut: true,
      },
    );
    if (choice !== undefined) await kept.update(pickedKey(root), choice.model.id);
    return choice?.model;
  }

  /** Forgets which models were picked. */
  async forget(): Promise<void> {
    const { kept } = this.#parts;
    for (const key of kept.keys().filter((one) => one.startsWith(pickedKey(''))))
      await kept.update(key, undefined);
  }
}

/** The address of the endpoint for a folder: of the settings, else of the environment; undefined where it is none. */
export function addressOf(scope: vscode.Uri): URL | undefined {
  const text = setting('fix.model.url', scope).trim();
  return readModelAddress(text === '' ? (process.env['TESTMEND_MODEL_URL'] ?? '') : text);
}

function wishesOf(scope: vscode.Uri): Wishes {
  const [tokens, cost] = [setting('fix.maxTokens', scope), setting('fix.maxCost', scope)];
  return {
    url: addressOf(scope),
    model: setting('fix.model.name', scope).trim(),
    command: setting('fix.agent.command', scope).trim(),
    timeoutSeconds: setting('fix.agent.timeout', scope),
    jail: setting('fix.agent.jail', scope),
    reads: setting('fix.agent.reads', scope),
    writes: setting('fix.agent.writes', scope),
    limits: { ...(tokens > 0 && { tokens }), ...(cost > 0 && { cost }) },
  };
}

const jailText: Readonly<Record<AgentJail, string>> = {
  auto: 'Where the system has a jail, the agent cannot reach your other files; elsewhere it runs with your permissions.',
  required: 'It runs in a jail and cannot reach your other files; without a jail it is not started.',
  off: 'It runs without a jail, with your permissions, on all your files.',
};

/** What it gets beside its copy. */
function accessText(reads: readonly string[], writes: readonly string[]): string {
  return [
    ...(reads.length > 0 ? [`It may read ${reads.join(', ')}. `] : []),
    ...(writes.length > 0 ? [`It may write ${writes.join(', ')}; those changes stay. `] : []),
  ].join('');
}

/** Absolute; `~/` is the user's home. */
function placeAt(root: string, place: string): string {
  return place === '~' || place.startsWith('~/')
    ? path.join(os.homedir(), place.slice(1))
    : path.resolve(root, place);
}

function limitText({ tokens, cost }: OutsideLimits): string {
  const all = [
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    ...(cost === undefined ? [] : [`a cost of ${cost}`]),
  ];
  return all.length === 0 ? 'Its use is not limited.' : `It may use ${all.join(' and ')} in a fix cycle.`;
}

function answerTo(consent: Awaited<ReturnType<Consents['ask']>>, asked: Outsider, outside: Outside): Chosen {
  if (consent === 'cancelled') return undefined;
  return consent === 'given'
    ? { outside }
    : unavailable(asked, 'You did not give your consent.', 'Start the fix cycle again to be asked again.');
}

function unavailable(asked: Outsider, reason: string, remedy: string): Chosen {
  return { outside: { kind: 'unavailable', asked, reason, remedy } };
}

function isCalled({ id, name, family }: vscode.LanguageModelChat, wanted: string): boolean {
  return [id, name, family].some((one) => one.toLowerCase() === wanted.toLowerCase());
}

function listed(models: readonly vscode.LanguageModelChat[]): string {
  const names = [...new Set(models.map(({ name }) => name))];
  return names.length <= 8
    ? names.join(', ')
    : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`;
}
