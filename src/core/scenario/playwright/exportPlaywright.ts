// Writes a scenario as a Playwright test in TypeScript; what Playwright has nothing for is listed.
import type { Scenario, ScenarioConfig } from '../scenarioSchema.ts';
import type { Step } from '../stepSchema.ts';
import type { Range } from '../../model/position.ts';
import { ExportCode, quote } from './exportCode.ts';
import { exportStep } from './exportStep.ts';
import { CannotCarry, leftOutText, type LeftOut } from './leftOut.ts';

interface ExportSource {
  /** As the comment at the top names it. */
  readonly file: string;
  /** Place in the scenario: `['steps', 2]`. */
  readonly rangeOf: (path: readonly (string | number)[]) => Range;
  readonly config?: ScenarioConfig | undefined;
}

export interface ExportedTest {
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
}

export function exportPlaywright(scenario: Scenario, source: ExportSource): ExportedTest {
  return new TestWriter(scenario, source).write();
}

class TestWriter {
  readonly #scenario: Scenario;
  readonly #source: ExportSource;
  readonly #code: ExportCode;
  readonly #leftOut: LeftOut[] = [];

  constructor(scenario: Scenario, source: ExportSource) {
    this.#scenario = scenario;
    this.#source = source;
    const all = [...scenario.setup, ...scenario.steps, ...scenario.teardown];
    const saved = all.flatMap((step) => {
      if (step.type === 'api-request') return ['response', step.config.saveResponseAs ?? []].flat();
      return step.type === 'script' ? (step.config.saveResultAs ?? []) : [];
    });
    this.#code = new ExportCode(
      this.#variables().map(({ name }) => name),
      saved,
    );
  }

  write(): ExportedTest {
    const { setup, steps, teardown, name, skip, retries, tags } = this.#scenario;
    this.#listSettings();
    const before = this.#block('setup', setup);
    const inner = this.#block('steps', steps);
    const after = this.#block('teardown', teardown);
    const details =
      tags.length === 0 ? '' : `{ tag: ${list(tags.map((tag) => quote(`@${tag.replace(/^@/, '')}`)))} }, `;
    const isApi = [before, inner, after].some((lines) => lines.some((line) => line.includes('read(')));
    const isSaved =
      isApi || [before, inner, after].some((lines) => lines.some((line) => line.includes('saved.')));
    const constants = this.#constants();
    const use = this.#use();
    const body = [
      `import { test, expect${isApi ? ', type APIResponse' : ''} } from '@playwright/test';`,
      '',
      ...this.#head(),
      ...(use === '' ? [] : [`test.use(${use});`]),
      ...(retries === undefined ? [] : [`test.describe.configure({ retries: ${retries} });`]),
      ...constants,
      ...(isSaved ? ['const saved: Record<string, any> = {};'] : []),
      ...(use === '' && retries === undefined && constants.length === 0 && !isSaved ? [] : ['']),
      ...hook('beforeEach', before),
      `test${skip === undefined || skip === false ? '' : '.skip'}(${quote(name)}, ${details}async ({ page }) => {`,
      ...indented(inner),
      '});',
      ...(after.length === 0 ? [] : ['', ...hook('afterEach', after).slice(0, -1)]),
      ...(isApi ? ['', ...reader] : []),
    ];
    return {
      text: `${body.join('\n')}\n`,
      leftOut: this.#leftOut.sort((one, other) => one.line - other.line),
    };
  }

  #head(): readonly string[] {
    const { description } = this.#scenario;
    const lines = [
      `Exported from ${this.#source.file}.`,
      ...(description.trim() === '' ? [] : [description]),
      ...(this.#leftOut.length === 0
        ? []
        : ['Not carried over:', ...this.#leftOut.map((one) => `  ${leftOutText(one)}`)]),
    ];
    return [
      ...lines.flatMap((line) => line.trimEnd().split(/\r?\n|\u2028|\u2029/)).map((line) => `// ${line}`),
      '',
    ];
  }

  #block(part: 'setup' | 'steps' | 'teardown', steps: readonly Step[]): readonly string[] {
    return steps.flatMap((step, at) => {
      const place = { line: this.#source.rangeOf([part, at]).start.line, text: titleOf(step) };
      try {
        const { lines, nearly } = exportStep(step, this.#code);
        if (nearly !== undefined) this.#leftOut.push({ ...place, reason: nearly, nearly: true });
        return lines;
      } catch (error) {
        if (!(error instanceof CannotCarry)) throw error;
        this.#leftOut.push({ ...place, reason: error.message });
        return [`// Not carried over: ${titleOf(step)} (${error.message})`];
      }
    });
  }

  /** Fields of the scenario that Playwright has nothing for. */
  #listSettings(): void {
    const { priority, environment, lenient, storageState } = this.#scenario;
    const list = (field: string, text: string, reason: string): void => {
      this.#leftOut.push({ line: this.#source.rangeOf([field]).start.line, text, reason });
    };
    if (priority !== 'medium') list('priority', `priority: ${priority}`, 'Playwright has none');
    if (environment !== undefined)
      list('environment', `environment: ${environment}`, 'Playwright has projects for them');
    if (lenient) list('lenient', 'lenient: true', 'a missing variable is an empty text in the test anyway');
    if (storageState !== undefined)
      list('storageState', 'storageState', 'write it into the projects of the Playwright configuration');
  }

  #use(): string {
    const { config } = this.#source;
    const { timeout } = this.#scenario;
    return this.#code.options({
      baseURL: config?.baseUrl,
      testIdAttribute:
        config === undefined || config.testIdAttribute === 'data-testid' ? undefined : config.testIdAttribute,
      viewport: config?.viewport,
      actionTimeout: timeout,
      navigationTimeout: timeout,
    });
  }

  /** Those of the scenario and those of the configuration that it does not declare itself. */
  #variables(): readonly { readonly name: string; readonly value?: unknown; readonly fromEnv?: string }[] {
    const own = this.#scenario.variables.map(({ name, defaultValue, fromEnv }) => ({
      name,
      ...(defaultValue !== undefined && { value: defaultValue }),
      ...(fromEnv !== undefined && { fromEnv }),
    }));
    const known = new Set(own.map(({ name }) => name));
    const shared = Object.entries(this.#source.config?.variables ?? {});
    return [...own, ...shared.filter(([name]) => !known.has(name)).map(([name, value]) => ({ name, value }))];
  }

  #constants(): readonly string[] {
    const declared = this.#variables().map(({ name, value, fromEnv }) => {
      const given = this.#code.value(value ?? '');
      const from = fromEnv === undefined ? given : `process.env[${quote(fromEnv)}] ?? ${given}`;
      return `const ${this.#code.constantOf(name)} = ${from};`;
    });
    const unknown = Array.from(this.#code.unknown, (name) => {
      const fromEnv = name.replace(/\W+/g, '_').toUpperCase();
      const reason = `its value is not in the file: the test takes it from the environment as ${fromEnv}`;
      this.#leftOut.push({ line: 1, text: `{{${name}}}`, reason, nearly: true });
      return `const ${this.#code.constantOf(name)} = process.env[${quote(fromEnv)}] ?? '';`;
    });
    return [...declared, ...unknown];
  }
}

const titleOf = (step: Step): string =>
  [`${step.id}: ${step.type}`, step.type === 'component' ? step.config.component : step.description]
    .filter((part) => part !== '')
    .join(' ');

const list = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? '') : `[${parts.join(', ')}]`;

function hook(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`test.${name}(async ({ page }) => {`, ...indented(lines), '});', ''];
}

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line === '' ? '' : `  ${line}`));

/** What the steps of an API keep of a response. */
const reader = `async function read(response: APIResponse) {
  const text = await response.text();
  let body: any = text;
  try {
    body = JSON.parse(text);
  } catch {
    // It is a text.
  }
  return { status: response.status(), headers: response.headers(), body };
}
read.typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);`.split(
  '\n',
);
