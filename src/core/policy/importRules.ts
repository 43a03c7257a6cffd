// The test keeps testing the code: its modules are neither mocked away nor replaced by stand-ins.
import ts from 'typescript';
import { chainOf } from './bindings.ts';
import type { FileFacts, Finding } from './fileFacts.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';
import { isSourceModule, isTestLibrary } from './testApi.ts';

export function* importRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  yield* mockRules(before, after);
  yield* standInRules(before, after);
  yield* sideEffectImports(before, after);
}

/** `import './x'` runs whatever x does to the test library. */
function* sideEffectImports(before: FileFacts, after: FileFacts): Generator<Finding> {
  const [was, is] = [bareImports(before), bareImports(after)];
  // As many as before: one of them may have moved.
  if (is.length <= was.length) return;
  const had = new Set(was.map(([module]) => module));
  for (const [module, line] of is)
    if (!had.has(module) && isSourceModule(module))
      yield {
        rule: 'test-api-tampering',
        line,
        text: `The test now imports ${module}, which may change the meaning of its tests.`,
      };
}

function bareImports({ source }: FileFacts): readonly (readonly [string, number])[] {
  return source.statements.flatMap((statement) =>
    ts.isImportDeclaration(statement) &&
    statement.importClause === undefined &&
    ts.isStringLiteral(statement.moduleSpecifier)
      ? [[statement.moduleSpecifier.text, lineOf(statement)] as const]
      : [],
  );
}

interface Mock {
  /** Undefined when it is computed. */
  readonly module: string | undefined;
  readonly line: number;
}

function* mockRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const [was, is] = [mocksOf(before), mocksOf(after)];
  const old = was.map(({ module }) => module);
  const added = is.filter(({ module }) => {
    const index = old.indexOf(module);
    if (index >= 0) old.splice(index, 1);
    return index < 0;
  });
  const imported = new Set([...before.bindings.imports.values()].map(({ module }) => module));
  let moved = old.length;
  for (const { module, line } of added) {
    const isReal = module === undefined || imported.has(module) || isTestLibrary(module);
    // A mock whose module moved is the same mock; one of a module that was used for real is not.
    if (!isReal && moved-- > 0) continue;
    if (isReal || isSourceModule(module))
      yield {
        rule: 'mocked-source',
        line,
        text: `The fix mocks ${module ?? 'a computed module'}, which the test used unmocked.`,
      };
  }
  const [spied, spies] = [spiesOf(before), spiesOf(after)];
  const grown = spies.filter(({ module }) => !spied.some((spy) => spy.module === module));
  if (spies.length > spied.length)
    for (const { module, line } of grown.slice(0, spies.length - spied.length))
      yield {
        rule: 'mocked-source',
        line,
        text: `The fix replaces ${module ?? 'code'}, which the test used unmocked.`,
      };
}

function mocksOf({ source, bindings }: FileFacts): readonly Mock[] {
  const mocks: Mock[] = [];
  visitNodes(source, (node) => {
    if (!ts.isCallExpression(node)) return;
    const callee = unwrap(node.expression);
    const name = ts.isPropertyAccessExpression(callee)
      ? callee.name.text
      : ts.isElementAccessExpression(callee) && ts.isStringLiteralLike(unwrap(callee.argumentExpression))
        ? callee.argumentExpression.getText().slice(1, -1)
        : ts.isIdentifier(callee)
          ? callee.text
          : '';
    const root = chainOf(callee, bindings)?.root ?? '';
    const isMock =
      (/^(?:mock|doMock|unstable_mockModule|setMock|module)$/.test(name) &&
        /^(?:vi|vitest|jest|mock|t|td)$/.test(root)) ||
      (root === 'td' && name === 'replace' && isText(node.arguments[0])) ||
      /^(?:proxyquire|rewire|mockModule|replaceEsm|esmock)$/.test(name) ||
      isMockingRequire(callee);
    if (/^(?:enableAutomock|autoMockOn)$/.test(name) && root === 'jest')
      mocks.push({ module: undefined, line: lineOf(node) });
    if (isMock) mocks.push({ module: moduleArgument(node.arguments[0]), line: lineOf(node) });
  });
  return mocks;
}

const isText = (node: ts.Expression | undefined): boolean =>
  node !== undefined && ts.isStringLiteralLike(unwrap(node));

/** `require('proxyquire')('../src/shop', …)`, also after `.noCallThru()`. */
function isMockingRequire(callee: ts.Expression): boolean {
  return /^require\(\s*['"`](?:proxyquire|rewire|mock-require|esmock|mockery|rewiremock)['"`]\s*\)/.test(
    callee.getText(),
  );
}

function moduleArgument(argument: ts.Expression | undefined): string | undefined {
  const inner = argument === undefined ? undefined : unwrap(argument);
  if (inner === undefined) return undefined;
  if (ts.isStringLiteralLike(inner)) return inner.text;
  return ts.isCallExpression(inner) && inner.expression.kind === ts.SyntaxKind.ImportKeyword
    ? moduleArgument(inner.arguments[0])
    : undefined;
}

/** Spies and assignments that replace members of imported source modules. */
function spiesOf({ source, bindings }: FileFacts): readonly Mock[] {
  const spies: Mock[] = [];
  const add = (target: ts.Node, member: string, node: ts.Node): void => {
    const root = unwrap(target).getText().split(/[.[(]/)[0] ?? '';
    const module = bindings.imports.get(root)?.module;
    if (module !== undefined && isSourceModule(module))
      spies.push({ module: `${root}.${member}`, line: lineOf(node) });
  };
  visitNodes(source, (node) => {
    if (ts.isCallExpression(node)) {
      const callee = unwrap(node.expression);
      const [target, member] = node.arguments;
      const isSpy =
        ts.isPropertyAccessExpression(callee) &&
        /^(?:spyOn|stub|mock|method|replace|replaceProperty|replaceGetter|define|fake)$/.test(
          callee.name.text,
        );
      const isWrite = /^(?:Object\.(?:assign|define\w+)|Reflect\.(?:set|define\w+))$/.test(callee.getText());
      if ((isSpy || isWrite) && target !== undefined) add(target, member?.getText() ?? '', node);
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const place = unwrap(node.left);
      if (/^require\.cache\b/.test(place.getText()))
        spies.push({ module: 'the cache of require', line: lineOf(node) });
      else if (ts.isPropertyAccessExpression(place)) add(place.expression, place.name.text, node);
      else if (ts.isElementAccessExpression(place))
        add(place.expression, place.argumentExpression.getText(), node);
    }
  });
  return spies;
}

const standIns =
  /(?:^|[/._-])(?:__mocks__|__fixtures__|fixtures?|mocks?|mocked|fakes?|stubs?|doubles?)(?:[/._-]|$)|\.(?:test|spec)(?:\.|$)/i;

/** Names that came from the code and now come from the test itself, or from a double. */
function* standInRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  for (const [name, { module }] of before.bindings.imports) {
    if (!isSourceModule(module)) continue;
    const now = after.bindings.imports.get(name);
    const declarations = after.bindings.declared.get(name) ?? [];
    const [first] = declarations;
    if (first !== undefined && declarations.length > (before.bindings.declared.get(name)?.length ?? 0))
      yield {
        rule: 'redirected-import',
        line: lineOf(first),
        text: `${name} was imported from ${module}; now the test declares it itself.`,
      };
    if (now !== undefined && now.module !== module && standIns.test(now.module) && !standIns.test(module))
      yield {
        rule: 'redirected-import',
        line: lineOf(now.node),
        text: `${name} is imported from the test double ${now.module} instead of ${module}.`,
      };
    if (now !== undefined && now.module.startsWith('data:'))
      yield {
        rule: 'redirected-import',
        line: lineOf(now.node),
        text: `${name} is imported from source text instead of ${module}.`,
      };
  }
}
