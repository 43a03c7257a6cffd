// A Go file as those see it who look for what its tests expect.
import { declaredIn, isTestName, type Declared } from './declarations.ts';
import { lineMap, type LineMap } from '../lineMap.ts';
import { goTokens, type GoToken, type GoTokens } from './tokens.ts';

export interface GoSource extends GoTokens {
  readonly text: string;
  readonly lines: LineMap;
  readonly functions: readonly Declared[];
  /** Paths of what is imported, by the name that it has in the file. */
  readonly imports: ReadonlyMap<string, string>;
  /** Are names of another package there as if they were its own? */
  readonly hasDotImport: boolean;
}

export function goSource(text: string): GoSource {
  const found = goTokens(text);
  return {
    ...found,
    text,
    lines: lineMap(text),
    functions: [...declaredIn(found.tokens)],
    ...importsOf(found.tokens),
  };
}

/** `func TestX(t *testing.T)`: the only functions whose body is read. */
export function plainTests({ functions, imports }: GoSource): readonly (Declared & { readonly t: string })[] {
  if (imports.get('testing') !== 'testing') return [];
  const names = functions.map(({ name }) => name);
  return functions.flatMap((declared) => {
    const { receiver, name, parameters } = declared;
    const t = /^(\w+) \* testing \. T(?: ,)?$/.exec(parameters)?.[1];
    const isOnly = names.filter((other) => other === name).length === 1;
    return receiver === undefined && t !== undefined && t !== '_' && isTestName(name, 'Test') && isOnly
      ? [{ ...declared, t }]
      : [];
  });
}

function importsOf(tokens: readonly GoToken[]): Pick<GoSource, 'imports' | 'hasDotImport'> {
  const imports = new Map<string, string>();
  let hasDotImport = false;
  for (let at = 0; at < tokens.length; at++) {
    const text = tokens[at]?.text;
    if (/^(?:func|var|const|type)$/.test(text ?? '')) break;
    const token = tokens[at];
    if (token?.kind !== 'text') continue;
    const path = token.text.slice(1, -1);
    const before = tokens[at - 1];
    if (before?.text === '.') hasDotImport = true;
    const isNamed = before?.kind === 'word' && before.text !== 'import';
    const last =
      path
        .split('/')
        .filter((part) => !/^v\d+$/.test(part))
        .at(-1) ?? '';
    imports.set(isNamed ? before.text : last.replace(/^gopkg\.in\//, '').replace(/\.v\d+$/, ''), path);
  }
  return { imports, hasDotImport };
}
