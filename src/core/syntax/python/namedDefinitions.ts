// The one function or class that a name of a Python test file stands for, in it or in a module of the tests that it imports.
import type { SyntaxNode } from '@lezer/common';
import type { ExpectationContext, TestModule } from './expectationContext.ts';
import { readImports } from './importStatements.ts';
import { visitPython, type PythonSource } from './parsePython.ts';

export interface PlacedDefinition extends TestModule {
  readonly node: SyntaxNode;
}

/** `name` or `module.name`; undefined where it is decorated, defined again, or given something else. */
export function definitionNamed(
  written: string,
  kind: 'Function' | 'Class',
  where: TestModule,
  context: ExpectationContext,
): PlacedDefinition | undefined {
  const [, module, name] = /^(?:([A-Za-z_]\w*)\.)?([A-Za-z_]\w*)$/.exec(written) ?? [];
  if (name === undefined) return undefined;
  const local = module ?? name;
  const origins = importsOf(local, where.source);
  if (module === undefined && origins.length === 0) return definedHere(name, kind, where);
  const [origin, ...others] = origins;
  if (origin === undefined || others.length > 0 || isGivenAnew(local, where.source)) return undefined;
  const specifier = module === undefined ? origin.module : origin.whole;
  const found = specifier === undefined ? undefined : context.readModule?.(specifier, where.file);
  return found && definedHere(module === undefined ? origin.name : name, kind, found);
}

interface Origin {
  /** Of `from module import name`. */
  readonly module: string | undefined;
  readonly name: string;
  /** What is imported, as a module. */
  readonly whole: string;
}

function importsOf(local: string, source: PythonSource): readonly Origin[] {
  return readImports(source, source.root).flatMap(({ module, items }) =>
    items.flatMap(({ name, alias }) => {
      if ((alias ?? name) !== local) return [];
      const joint = module?.text.endsWith('.') === false ? '.' : '';
      return [{ module: module?.text, name, whole: `${module?.text ?? ''}${module ? joint : ''}${name}` }];
    }),
  );
}

function definedHere(name: string, kind: string, where: TestModule): PlacedDefinition | undefined {
  const { source } = where;
  if (source.errorLine !== undefined || isGivenAnew(name, source)) return undefined;
  const all: SyntaxNode[] = [];
  visitPython(source.root, (node) => {
    if (!/^(?:Function|Class)Definition$/.test(node.name))
      return /Statement$|^(?:Script|Body|MatchBody|MatchClause)$/.test(node.name);
    const own = node.getChild('VariableName');
    if (own !== null && source.textOf(own) === name) all.push(node);
    return false;
  });
  const [node, ...others] = all;
  const isPlain = node?.name === `${kind}Definition` && node.parent?.name === 'Script';
  return isPlain && others.length === 0 ? { ...where, node } : undefined;
}

/** Also by `patch("module.name")` and `setattr(module, "name")`. */
function isGivenAnew(name: string, { text }: PythonSource): boolean {
  return new RegExp(
    `^[ \\t]*${name}[ \\t]*(?::[^=\\n]*)?=(?!=)|["'](?:[\\w.]+\\.)?${name}["']|\\b(?:global|as|for)\\s+${name}\\b(?!\\s*(?:$|,|\\)|#))|\\b(?:setattr|delattr)\\(\\s*${name}\\b|^[ \\t]*${name}\\.\\w+[ \\t]*=(?!=)`,
    'm',
  ).test(text);
}
