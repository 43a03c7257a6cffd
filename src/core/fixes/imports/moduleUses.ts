// Where a test file uses the names of a module that it has as a value: a namespace, what `import()` or `require` gives, also within its own lists and objects.
import type ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import type { TestModule } from './testModule.ts';

/** One name of the module, used through one site. */
export interface NameUse {
  /** As the module exports it; `default` for the default export. */
  readonly name: string;
  /** Offsets at which it is written or used. */
  readonly places: readonly number[];
  /** Offset at which a pattern takes it out of the module; nothing is lost there yet. */
  readonly takenAt?: number;
  readonly typeOnly: boolean;
  /** A key of a mock's factory: names there need not exist in the module. */
  readonly isMock: boolean;
  /** A member of the default export, which only in CommonJS is the module itself. */
  readonly isOfDefault?: true;
  /** The import or export element, for what stands in a static import or export. */
  readonly element?: StaticElement;
  /** The changes when the module exports it as `to` instead. */
  readonly rename: (to: string) => readonly TextChange[];
}

/** An element of `import Default, { a as b }` or `export { a as b } from`. */
type StaticElement = ts.ImportClause | ts.ImportSpecifier | ts.ExportSpecifier;

/** The name that a key of an object literal stands for; the object takes the place of the module. */
export function usesOfKey(module: TestModule, property: ts.ObjectLiteralElementLike): readonly NameUse[] {
  const { typescript, source } = module;
  const { name } = property;
  if (!name || !(typescript.isIdentifier(name) || typescript.isStringLiteral(name))) return [];
  const changed = (to: string): string => {
    if (typescript.isShorthandPropertyAssignment(property)) return `${to}: ${name.text}`;
    return typescript.isStringLiteral(name) ? quoted(name, to) : to;
  };
  const use: NameUse = {
    name: name.text,
    places: [name.getStart(source)],
    typeOnly: false,
    isMock: true,
    rename: (to) => [replaceNode(source, name, changed(to))],
  };
  return [use];
}

/** The uses of a module that a name stands for: `import * as ns`, `const ns = await import()`. */
export function usesOfNamespace(module: TestModule, name: ts.Identifier): readonly NameUse[] {
  return module.referencesTo(name).flatMap((reference) => usesOfValue(module, reference));
}

/** The uses of a module that is the value of an expression (or of the promise it is). */
export function usesOfValue(module: TestModule, value: ts.Expression, depth = 0): readonly NameUse[] {
  const { typescript, source } = module;
  const { parent } = value;
  if (depth > 12) return [];
  const again = (node: ts.Expression): readonly NameUse[] => usesOfValue(module, node, depth + 1);
  const member = (
    name: ts.Node,
    text: string,
    changed: (to: string) => string,
    typeOnly = false,
  ): NameUse[] => [
    {
      name: text,
      places: [name.getStart(source)],
      typeOnly,
      isMock: false,
      rename: (to) => [replaceNode(source, name, changed(to))],
    },
  ];
  if (
    typescript.isParenthesizedExpression(parent) ||
    typescript.isAwaitExpression(parent) ||
    typescript.isAsExpression(parent) ||
    typescript.isSatisfiesExpression(parent) ||
    typescript.isNonNullExpression(parent)
  )
    return again(parent);
  if (typescript.isPropertyAccessExpression(parent) && parent.expression === value) {
    const call = parent.parent;
    if (parent.name.text === 'then' && typescript.isCallExpression(call) && call.expression === parent) {
      const callback = call.arguments[0];
      const parameter =
        callback && (typescript.isArrowFunction(callback) || typescript.isFunctionExpression(callback))
          ? callback.parameters[0]
          : undefined;
      return parameter ? usesOfBinding(module, parameter.name, depth) : [];
    }
    const inner = parent.name.text === 'default' ? again(parent).map(ofDefault) : [];
    return [...member(parent.name, parent.name.text, (to) => to), ...inner];
  }
  if (typescript.isQualifiedName(parent) && parent.left === (value as ts.Node))
    return member(parent.right, parent.right.text, (to) => to, !typescript.isTypeQueryNode(parent.parent));
  if (typescript.isElementAccessExpression(parent) && parent.expression === value) {
    const { argumentExpression: key } = parent;
    return typescript.isStringLiteralLike(key) ? member(key, key.text, (to) => quoted(key, to)) : [];
  }
  if (typescript.isVariableDeclaration(parent) && parent.initializer === value)
    return usesOfBinding(module, parent.name, depth);
  if (
    typescript.isBinaryExpression(parent) &&
    parent.right === value &&
    parent.operatorToken.kind === typescript.SyntaxKind.EqualsToken
  ) {
    const { left } = parent;
    if (typescript.isIdentifier(left))
      return module
        .referencesTo(left)
        .filter((one) => !typescript.isVariableDeclaration(one.parent))
        .flatMap(again);
    if (typescript.isObjectLiteralExpression(left))
      return left.properties.flatMap((property) => usesOfKey(module, property)).map(notMock);
  }
  if (typescript.isCallExpression(parent) && parent.expression !== value) {
    const method = typescript.isPropertyAccessExpression(parent.expression)
      ? parent.expression.name.text
      : parent.expression.getText(source);
    if (method === 'mocked' && parent.arguments[0] === value) return again(parent);
    const key = parent.arguments[1];
    if (
      /^(?:spyOn|replaceProperty|stub|spy|method)$/.test(method) &&
      parent.arguments[0] === value &&
      key &&
      typescript.isStringLiteralLike(key)
    )
      return member(key, key.text, (to) => quoted(key, to));
  }
  return usesOfHolder(module, { value, path: [] }, depth);
}

/** What holds the module, and how to come to it there; `*` is any key. */
interface Held {
  readonly value: ts.Expression;
  readonly path: readonly string[];
}

/** The uses of a module that stands in a list or an object of the test: `{ js, node }`, `[js, node]`. */
function usesOfHolder(module: TestModule, { value, path }: Held, depth: number): readonly NameUse[] {
  const { typescript } = module;
  const { parent } = value;
  const within = (holder: ts.Expression, key: string): readonly NameUse[] =>
    usesWithin(module, { value: holder, path: [key, ...path] }, depth + 1);
  if (typescript.isArrayLiteralExpression(parent)) {
    const index = parent.elements.indexOf(value);
    const isMoved = parent.elements.slice(0, index).some((one) => typescript.isSpreadElement(one));
    return within(parent, isMoved ? '*' : String(index));
  }
  if (typescript.isShorthandPropertyAssignment(parent)) return within(parent.parent, parent.name.text);
  if (typescript.isPropertyAssignment(parent) && parent.initializer === value)
    return within(parent.parent, keyText(module, parent.name) ?? '*');
  return [];
}

/** The uses of the module at this path within the value. */
function usesWithin(module: TestModule, held: Held, depth: number): readonly NameUse[] {
  const { typescript } = module;
  const { value, path } = held;
  const { parent } = value;
  const [first, ...rest] = path;
  if (depth > 12) return [];
  if (first === undefined) return usesOfValue(module, value, depth + 1);
  const at = (next: ts.Expression, nextPath: readonly string[]): readonly NameUse[] =>
    usesWithin(module, { value: next, path: nextPath }, depth + 1);
  if (
    typescript.isParenthesizedExpression(parent) ||
    typescript.isAsExpression(parent) ||
    typescript.isSatisfiesExpression(parent)
  )
    return at(parent, path);
  if (typescript.isVariableDeclaration(parent) && parent.initializer === value)
    return usesOfPattern(module, parent.name, path, depth);
  if (typescript.isForOfStatement(parent) && parent.expression === value) {
    const { initializer } = parent;
    const names = typescript.isVariableDeclarationList(initializer) ? initializer.declarations : [];
    return names.flatMap(({ name }) => usesOfPattern(module, name, rest, depth));
  }
  if (typescript.isPropertyAccessExpression(parent) && parent.expression === value) {
    const call = parent.parent;
    const isVisit = /^(?:forEach|map|flatMap)$/.test(parent.name.text) && typescript.isCallExpression(call);
    if (isVisit) return usesOfCallbacks(module, call.arguments, [rest], depth);
    return first === '*' || first === parent.name.text ? at(parent, rest) : [];
  }
  if (typescript.isElementAccessExpression(parent) && parent.expression === value) {
    const key = parent.argumentExpression;
    const isOther = typescript.isLiteralExpression(key) && first !== '*' && key.text !== first;
    return isOther ? [] : at(parent, rest);
  }
  if (typescript.isCallExpression(parent) && parent.expression !== value) {
    const callee = parent.expression.getText(module.source);
    if (callee === 'Object.values') return at(parent, ['*', ...rest]);
    if (callee === 'Object.entries') return at(parent, ['*', '1', ...rest]);
    const call = parent.parent;
    if (/\.(?:each|for)$/.test(callee) && typescript.isCallExpression(call) && call.expression === parent)
      return usesOfCallbacks(module, call.arguments, columnsOf(callee, rest), depth);
  }
  return usesOfHolder(module, held, depth);
}

/** Paths by parameter: `each` hands the items of a row over one by one. */
function columnsOf(
  callee: string,
  [first, ...rest]: readonly string[],
): readonly (readonly string[] | undefined)[] {
  if (first === undefined) return [[]];
  const index = callee.endsWith('.each') && /^\d+$/.test(first) ? Number(first) : undefined;
  return index === undefined ? [[first, ...rest]] : [...Array.from({ length: index }, () => undefined), rest];
}

function usesOfCallbacks(
  module: TestModule,
  given: readonly ts.Expression[],
  paths: readonly (readonly string[] | undefined)[],
  depth: number,
): readonly NameUse[] {
  const { typescript } = module;
  return given.flatMap((one) => {
    if (!typescript.isArrowFunction(one) && !typescript.isFunctionExpression(one)) return [];
    return paths.flatMap((path, index) => {
      const parameter = one.parameters[index];
      return path === undefined || parameter === undefined
        ? []
        : usesOfPattern(module, parameter.name, path, depth);
    });
  });
}

/** The uses of what a pattern takes out at this path. */
function usesOfPattern(
  module: TestModule,
  name: ts.BindingName,
  path: readonly string[],
  depth: number,
): readonly NameUse[] {
  const { typescript } = module;
  const [first, ...rest] = path;
  if (first === undefined) return usesOfBinding(module, name, depth + 1);
  if (typescript.isIdentifier(name))
    return module.referencesTo(name).flatMap((value) => usesWithin(module, { value, path }, depth + 1));
  return name.elements.flatMap((element, index) => {
    if (typescript.isOmittedExpression(element) || element.dotDotDotToken) return [];
    const key = typescript.isArrayBindingPattern(name)
      ? String(index)
      : keyText(module, element.propertyName ?? element.name);
    return first === '*' || first === key ? usesOfPattern(module, element.name, rest, depth + 1) : [];
  });
}

function keyText({ typescript }: TestModule, name: ts.PropertyName | ts.BindingName): string | undefined {
  return typescript.isIdentifier(name) || typescript.isStringLiteral(name) ? name.text : undefined;
}

/** The use as one of a member of the default export. */
export const ofDefault = (use: NameUse): NameUse => ({ ...use, isOfDefault: true });

const notMock = (use: NameUse): NameUse => ({ ...use, isMock: false });

function usesOfBinding(module: TestModule, name: ts.BindingName, depth: number): readonly NameUse[] {
  const { typescript, source } = module;
  if (typescript.isIdentifier(name))
    return module.referencesTo(name).flatMap((one) => usesOfValue(module, one, depth + 1));
  if (!typescript.isObjectBindingPattern(name)) return [];
  return name.elements.flatMap((element): NameUse[] => {
    const { propertyName, name: local } = element;
    if (element.dotDotDotToken) return [];
    const key = propertyName ?? local;
    if (!typescript.isIdentifier(key) && !typescript.isStringLiteral(key)) return [];
    const references = typescript.isIdentifier(local) ? module.referencesTo(local) : [];
    return [
      {
        name: key.text,
        takenAt: key.getStart(source),
        places: references.map((one) => one.getStart(source)),
        typeOnly: false,
        isMock: false,
        rename: (to) => {
          if (typescript.isStringLiteral(key)) return [replaceNode(source, key, quoted(key, to))];
          if (propertyName || !typescript.isIdentifier(local)) return [replaceNode(source, key, to)];
          const renamed = to === 'default' ? undefined : module.renameReferences(local, to);
          return renamed
            ? [replaceNode(source, local, to), ...renamed]
            : [replaceNode(source, local, `${to}: ${local.text}`)];
        },
      },
    ];
  });
}

/** The change that puts `newText` in place of the node. */
export function replaceNode(source: ts.SourceFile, node: ts.Node, newText: string): TextChange {
  return { start: node.getStart(source), end: node.getEnd(), newText };
}

/** The text in the quotes of the literal. */
export function quoted(literal: ts.StringLiteralLike, text: string): string {
  const quote = literal.getText().charAt(0);
  return quote + text + quote;
}
