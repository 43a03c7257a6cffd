// Whether a value of a table can reach the code under test through fixtures: pytest hands it to whoever asks for its name.
import type { SyntaxNode } from '@lezer/common';
import { parsePython, visitPython, type PythonSource } from './parsePython.ts';
import { parametersOf } from './testFunctions.ts';

/** Fixtures of pytest itself, which ask for nothing of the tests; `request` could ask for anything. */
const builtIn: ReadonlySet<string> = new Set([
  'self',
  'cls',
  'tmp_path',
  'tmpdir',
  'tmp_path_factory',
  'tmpdir_factory',
  'monkeypatch',
  'capsys',
  'capsysbinary',
  'capfd',
  'capfdbinary',
  'caplog',
  'recwarn',
]);

interface FixtureKnowledge {
  /** May `name`, a column of a table, be trusted beside these other parameters of its test? */
  isKeptFrom(name: string, parameters: readonly string[]): boolean;
}

/** What the file and the conftest.py files around it say of their fixtures; every other fixture is unknown, and may ask for anything. */
export function knownFixtures(source: PythonSource, conftests: readonly string[]): FixtureKnowledge {
  const sources = [source, ...conftests.map((text) => parsePython(text))];
  const asks = new Map<string, readonly string[] | 'unknown'>();
  for (const one of sources) {
    if (one.errorLine !== undefined) return { isKeptFrom: () => false };
    readFixtures(one, asks);
  }
  const reached = (name: string, seen: Set<string>): boolean => {
    if (builtIn.has(name)) return true;
    if (seen.has(name)) return true;
    seen.add(name);
    const own = asks.get(name);
    if (own === undefined || own === 'unknown') return false;
    return own.every((inner) => inner === 'request' || reached(inner, seen));
  };
  return {
    isKeptFrom: (name, parameters) => {
      // Also those that no test names: they may be used by all tests.
      if ([...asks.values()].some((own) => own === 'unknown' || own.includes(name))) return false;
      return parameters.every((one) => reached(one, new Set()));
    },
  };
}

function readFixtures(source: PythonSource, asks: Map<string, readonly string[] | 'unknown'>): void {
  visitPython(source.root, (node) => {
    if (node.name !== 'DecoratedStatement') return;
    const definition = node.getChild('FunctionDefinition');
    const decorators = node.getChildren('Decorator').map((one) => source.textOf(one));
    if (
      definition === null ||
      !decorators.some((text) => /fixture/.test(text.replace(/^@\s*pytest\.mark\.usefixtures\b/, '')))
    )
      return;
    const name = nameOf(definition, decorators, source);
    if (name === undefined) return;
    const isSpread = /\*/.test(source.textOf(definition.getChild('ParamList') ?? definition));
    const own = isSpread ? ('unknown' as const) : parametersOf(definition, source);
    const known = asks.get(name);
    const both =
      known === undefined ? own : known === 'unknown' || own === 'unknown' ? 'unknown' : [...known, ...own];
    asks.set(name, both);
  });
}

/** A fixture may be known by another name than its function. */
function nameOf(
  definition: SyntaxNode,
  decorators: readonly string[],
  source: PythonSource,
): string | undefined {
  const given = decorators.map((text) => /\bname\s*=\s*["'](\w+)["']/.exec(text)?.[1]).find(Boolean);
  if (given !== undefined) return given;
  const name = definition.getChild('VariableName');
  return name === null ? undefined : source.textOf(name);
}
