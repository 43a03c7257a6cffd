// The way of a value through a test: its steps, and the names that it has along the way.
import ts from 'typescript';
import { bindingOf, type Binding, type KnownScopes } from '../syntax/javascript/declarations.ts';
import { propertyKey } from '../syntax/javascript/literalSource.ts';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts } from './fileFacts.ts';

export interface Destinations {
  /** It is compared with what the code gives. */
  readonly expected: boolean;
  /** It reaches the code under test, decides what the test does, or the text does not tell. */
  readonly asked: boolean;
  /** It is asked by a call of which nothing but the result is compared: perhaps that only writes a value down. */
  readonly built: boolean;
  /** A call of what the test imports from the sources gets it; then it is asked, too. */
  readonly given: boolean;
  /** It decides whether a test, a row or an assertion runs; known only where that was asked. */
  readonly decides: boolean;
}

/**
 * A value on its way: that of the expression, or the part of it at this path, where `*` is any key, `()` what a call gives, and
 * `=` in front tells that the place is written to. An empty path is the whole, or something that was made of it.
 */
export interface Step {
  readonly node: ts.Node;
  readonly path: readonly string[];
}

export interface Onward {
  readonly steps: readonly Step[];
  readonly reached?: keyof Destinations;
}

export interface FlowWorld {
  readonly facts: FileFacts;
  /** Arguments of matchers and of assert functions. */
  readonly expected: ReadonlySet<ts.Node>;
  /** What assertions look at. */
  readonly subjects: ReadonlySet<ts.Node>;
  /** Conditions and their like under which tests, rows and assertions run. */
  readonly deciding: ReadonlySet<ts.Node>;
  /** Does the module belong to the tests? */
  readonly isTestModule: (module: string) => boolean;
  readonly bindingOf: (use: ts.Identifier) => Binding | undefined;
  /** Every use of the name that this identifier declares. */
  readonly usesOf: (name: ts.Identifier) => readonly ts.Identifier[];
  readonly destinationsOf: (node: ts.Node) => Destinations;
}

/** The uses of the names that a pattern takes out of the value. */
export function boundTo(name: ts.BindingName, step: Step, world: FlowWorld): readonly Step[] {
  if (ts.isIdentifier(name)) return world.usesOf(name).map((use) => ({ ...step, node: use }));
  const [first, ...rest] = step.path;
  return name.elements.flatMap((element, index) => {
    if (ts.isOmittedExpression(element)) return [];
    if (first === undefined) return boundTo(element.name, step, world);
    if (element.dotDotDotToken !== undefined) {
      const moved = ts.isArrayBindingPattern(name) && /^\d+$/.test(first) ? Number(first) - index : undefined;
      if (moved !== undefined && moved < 0) return [];
      return boundTo(
        element.name,
        { ...step, path: [moved === undefined ? first : String(moved), ...rest] },
        world,
      );
    }
    const key = ts.isArrayBindingPattern(name) ? String(index) : keyOf(element);
    if (first !== '*' && key !== undefined && first !== key) return [];
    return boundTo(element.name, { ...step, path: rest }, world);
  });
}

function keyOf(element: ts.BindingElement): string | undefined {
  const key = element.propertyName ?? element.name;
  if (ts.isIdentifier(key)) return key.text;
  return ts.isBindingName(key) ? undefined : propertyKey(key);
}

/** Finds uses by the scopes of the file, each name once. */
export function namesIn(source: ts.SourceFile): Pick<FlowWorld, 'bindingOf' | 'usesOf'> {
  const byText = new Map<string, ts.Identifier[]>();
  const bindings = new Map<ts.Identifier, Binding | undefined>();
  const uses = new Map<string, ReadonlyMap<ts.Identifier, readonly ts.Identifier[]>>();
  const scopes: KnownScopes = new Map();
  visitNodes(source, (node) => {
    if (!ts.isIdentifier(node) || !isUse(node)) return;
    const known = byText.get(node.text);
    if (known === undefined) byText.set(node.text, [node]);
    else known.push(node);
  });
  const known = (use: ts.Identifier): Binding | undefined => {
    if (!bindings.has(use)) bindings.set(use, bindingOf(use, scopes));
    return bindings.get(use);
  };
  const usesOfText = (text: string): ReadonlyMap<ts.Identifier, readonly ts.Identifier[]> => {
    const byName = new Map<ts.Identifier, ts.Identifier[]>();
    for (const use of byText.get(text) ?? []) {
      const name = known(use)?.name;
      const others = name === undefined ? undefined : byName.get(name);
      if (others !== undefined) others.push(use);
      else if (name !== undefined && name !== use) byName.set(name, [use]);
    }
    return byName;
  };
  return {
    bindingOf: known,
    usesOf: (name) => {
      const found = uses.get(name.text) ?? usesOfText(name.text);
      uses.set(name.text, found);
      return found.get(name) ?? [];
    },
  };
}

/** A name that stands for its value there, also where it is written to. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name !== node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.initializer === node;
  if (ts.isExportSpecifier(parent) || ts.isImportSpecifier(parent) || ts.isQualifiedName(parent))
    return false;
  return !ts.isTypeNode(parent) && !ts.isMethodDeclaration(parent) && !ts.isPropertySignature(parent);
}
