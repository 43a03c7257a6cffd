// Turns the tests of a Playwright file, as its codegen writes them, into scenarios. The file is parsed, never run.
import ts from 'typescript';
import { HumanError } from '../../base/humanError.ts';
import { lineOf, parseTree, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { scenarioId, type WrittenScenario } from '../writtenScenario.ts';
import { environmentOf, TestBody, type Part, type Variable } from './importBody.ts';
import { sourceLine, type LeftOut } from './leftOut.ts';
import { readChain, readValue, type Value } from './readChain.ts';

interface ImportedScenario {
  readonly scenario: WrittenScenario;
  /** Line of the test. */
  readonly line: number;
  /** What of the file belongs to it and is not in it, in order. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * One scenario for each test of the file; hooks of the suites around a test are its setup and teardown. Throws a `bad-input` HumanError for a
 * text that is broken, and for one without a test that has a step.
 */
export function importPlaywright(text: string, file: string): readonly ImportedScenario[] {
  const tree = parseTree(file, text);
  // The parser keeps its findings on the tree without declaring them.
  const { parseDiagnostics: [broken] = [] } = tree.ast as ts.SourceFile & {
    readonly parseDiagnostics?: readonly ts.DiagnosticWithLocation[];
  };
  if (broken) {
    const line = tree.ast.getLineAndCharacterOfPosition(broken.start).line + 1;
    const message = ts.flattenDiagnosticMessageText(broken.messageText, ' ');
    throw new HumanError('bad-input', `${file}:${line} cannot be read: ${message}`, {
      file,
      remedy: 'Correct the syntax there.',
    });
  }
  const reader = new FileReader(tree);
  reader.readSuite(tree.ast.statements, { titles: [], hooks: [], leftOut: [], scope: new Map() });
  const imported = reader.scenarios;
  if (imported.length === 0)
    throw new HumanError(
      'bad-input',
      `${file} holds no Playwright test with a step that can be carried over.`,
      {
        file,
        remedy: 'Name a file as `npx playwright codegen` writes it.',
      },
    );
  return imported;
}

interface Hook {
  readonly part: 'setup' | 'teardown';
  readonly body: ts.ConciseBody;
  readonly parameters: readonly ts.ParameterDeclaration[];
}

interface Suite {
  readonly titles: readonly string[];
  readonly hooks: readonly Hook[];
  readonly leftOut: readonly LeftOut[];
  readonly scope: ReadonlyMap<string, Value>;
}

class FileReader {
  readonly scenarios: ImportedScenario[] = [];
  readonly #tree: SourceTree;
  readonly #variables = new Map<string, Variable>();

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  readSuite(statements: readonly ts.Statement[], around: Suite): void {
    const hooks = [...around.hooks];
    const leftOut = [...around.leftOut];
    const scope = new Map(around.scope);
    const inner: (() => void)[] = [];
    for (const statement of statements) {
      if (ts.isImportDeclaration(statement) || ts.isEmptyStatement(statement)) continue;
      if (ts.isVariableStatement(statement)) {
        if (!this.#constants(statement, scope))
          leftOut.push(this.#leftOut(statement, 'only constants are carried over'));
        continue;
      }
      const call = ts.isExpressionStatement(statement) ? unwrap(statement.expression) : undefined;
      const script = call && asyncScript(call);
      if (script) {
        inner.push(() =>
          this.#readTest(
            { call: statement, title: scriptTitle(this.#tree.file), body: script, parameters: [] },
            { ...around, hooks, leftOut, scope },
          ),
        );
        continue;
      }
      const chain = call && ts.isCallExpression(call) ? readChain(call) : undefined;
      const names =
        chain?.links
          .map(({ name }) => name)
          .filter((name) => name !== '')
          .join('.') ?? '';
      const args = chain?.links.at(-1)?.args ?? [];
      const callback = args
        .map(unwrap)
        .find((one) => ts.isArrowFunction(one) || ts.isFunctionExpression(one));
      const title = args[0] && titleOf(args[0]);
      const isTest = chain?.root === 'test' || chain?.root === 'it';
      if (isTest && callback && /^(?:describe|describe\.(?:serial|parallel|only))$/.test(names)) {
        const body = callback.body;
        const titles = title === undefined ? around.titles : [...around.titles, title];
        if (ts.isBlock(body))
          inner.push(() => this.readSuite(body.statements, { titles, hooks, leftOut, scope }));
      } else if (isTest && callback && (names === 'beforeEach' || names === 'afterEach')) {
        const { body, parameters } = callback;
        if (names === 'beforeEach') hooks.push({ part: 'setup', body, parameters });
        else hooks.unshift({ part: 'teardown', body, parameters });
      } else if (isTest && callback && title !== undefined && /^(?:only|skip|fixme)?$/.test(names)) {
        const skip = /^(?:skip|fixme)$/.test(names);
        const test = {
          call: statement,
          title,
          body: callback.body,
          parameters: callback.parameters,
          details: args[1],
          skip,
        };
        inner.push(() => this.#readTest(test, { ...around, hooks, leftOut, scope }));
      } else leftOut.push(this.#leftOut(statement, reasonOf(names)));
    }
    // Hooks, constants and settings apply to the tests above them too.
    for (const read of inner) read();
  }

  #readTest(
    test: {
      readonly call: ts.Node;
      readonly title: string;
      readonly body: ts.ConciseBody;
      readonly parameters: readonly ts.ParameterDeclaration[];
      readonly details?: ts.Expression | undefined;
      readonly skip?: boolean;
    },
    { titles, hooks, leftOut, scope }: Suite,
  ): void {
    const name = [...titles, test.title].join(' › ');
    const reader = new TestBody(this.#tree, { constants: scope, variables: this.#variables });
    const parts: Record<Part, typeof reader.steps> = { setup: [], steps: [], teardown: [] };
    const read = (part: Part, body: ts.ConciseBody, parameters: readonly ts.ParameterDeclaration[]): void => {
      reader.read(body, parameters);
      parts[part].push(...reader.steps.splice(0));
    };
    for (const hook of hooks) if (hook.part === 'setup') read('setup', hook.body, hook.parameters);
    read('steps', test.body, test.parameters);
    for (const hook of hooks) if (hook.part === 'teardown') read('teardown', hook.body, hook.parameters);
    const missing = [...leftOut, ...reader.leftOut];
    const tags = this.#tagsOf(test.details, (reason) => {
      if (test.details) missing.push(this.#leftOut(test.details, reason));
    });
    const [first, ...more] = parts.steps;
    if (first === undefined) {
      if (parts.setup.length === 0) return;
      missing.push(this.#leftOut(test.call, 'no step of the test itself could be carried over'));
    }
    const variables = reader.variablesOf(parts);
    const steps = first === undefined ? parts.setup : [first, ...more];
    this.scenarios.push({
      line: lineOf(this.#tree, test.call),
      scenario: {
        id: scenarioId(name),
        name,
        ...(tags.length > 0 && { tags: [...tags] }),
        ...(variables.length > 0 && { variables: [...variables] }),
        ...(test.skip === true && { skip: true }),
        ...(first !== undefined && parts.setup.length > 0 && { setup: parts.setup }),
        steps,
        ...(parts.teardown.length > 0 && { teardown: parts.teardown }),
      },
      leftOut: missing.sort((one, other) => one.line - other.line),
    });
  }

  /** `{ tag: '@smoke' }` or a list of tags, without the @. */
  #tagsOf(details: ts.Expression | undefined, report: (reason: string) => void): readonly string[] {
    if (details === undefined || !ts.isObjectLiteralExpression(details)) return [];
    const tags: string[] = [];
    for (const property of details.properties) {
      const isTag = ts.isPropertyAssignment(property) && property.name.getText() === 'tag';
      if (!isTag) report('only tags are carried over from the details of a test');
      else {
        const value = readValue(property.initializer, {
          scope: new Map(),
          fromEnv: environmentOf(this.#variables),
        });
        tags.push(...(Array.isArray(value) ? value : [value]).map((tag) => String(tag).replace(/^@/, '')));
      }
    }
    return tags;
  }

  #constants(statement: ts.VariableStatement, scope: Map<string, Value>): boolean {
    if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) return false;
    return statement.declarationList.declarations.every(({ name, initializer }) => {
      if (initializer === undefined) return false;
      const call = unwrap(initializer);
      if (ts.isCallExpression(call) && call.expression.getText() === 'require') return true;
      if (!ts.isIdentifier(name)) return false;
      try {
        scope.set(name.text, readValue(initializer, { scope, fromEnv: environmentOf(this.#variables) }));
        return true;
      } catch {
        return false;
      }
    });
  }

  #leftOut(node: ts.Node, reason: string): LeftOut {
    return { line: lineOf(this.#tree, node), text: sourceLine(textOf(this.#tree, node)), reason };
  }
}

function reasonOf(names: string): string {
  if (names === 'use') return 'settings of the browser belong into scenario.config.yaml';
  if (/^(?:beforeAll|afterAll)$/.test(names)) return 'a scenario has no hooks for a whole file';
  return 'it is no test and no hook';
}

/** The body of `(async () => { … })()`, as codegen writes scripts without a runner. */
function asyncScript(call: ts.Expression): ts.ConciseBody | undefined {
  if (!ts.isCallExpression(call)) return undefined;
  const called = unwrap(call.expression);
  return ts.isArrowFunction(called) || ts.isFunctionExpression(called) ? called.body : undefined;
}

const scriptTitle = (file: string): string =>
  file.replace(/^.*[\\/]/, '').replace(/(?:\.(?:spec|test))?\.[cm]?[jt]sx?$/, '');

function titleOf(node: ts.Expression): string | undefined {
  const inner = unwrap(node);
  return ts.isStringLiteralLike(inner) && inner.text.trim() !== '' ? inner.text : undefined;
}
