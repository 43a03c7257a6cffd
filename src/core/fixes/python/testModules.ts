// The modules of the tests that a Python test file imports, read before they are asked for.
import type { ExpectationContext, TestModule } from '../../syntax/python/expectationContext.ts';
import { readImports } from '../../syntax/python/importStatements.ts';
import { moduleFiles } from '../../syntax/python/moduleFiles.ts';
import { parsePython, type PythonSource } from '../../syntax/python/parsePython.ts';
import type { FixContext } from '../fixProvider.ts';

/** More of them are not read. */
const most = 30;

export async function testModules(
  file: string,
  source: PythonSource,
  context: FixContext,
): Promise<NonNullable<ExpectationContext['readModule']>> {
  const known = new Map<string, PythonSource | undefined>();
  const pending: { readonly file: string; readonly source: PythonSource }[] = [{ file, source }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop())
    for (const specifier of specifiersIn(one.source))
      for (const candidate of moduleFiles(specifier, one.file)) {
        if (candidate === file || known.has(candidate) || known.size > most) continue;
        const text = await context.readText(candidate);
        known.set(candidate, text === undefined ? undefined : parsePython(text));
        const found = known.get(candidate);
        if (found === undefined) continue;
        pending.push({ file: candidate, source: found });
        break;
      }
  return (specifier, from): TestModule | undefined => {
    for (const candidate of moduleFiles(specifier, from ?? file)) {
      const found = candidate === file ? undefined : known.get(candidate);
      if (found !== undefined) return { file: candidate, source: found };
    }
    return undefined;
  };
}

/** Also of names that may be modules themselves: `from tests import helpers`. */
function specifiersIn(source: PythonSource): readonly string[] {
  return readImports(source, source.root).flatMap(({ module, items }) => {
    if (module === undefined) return items.map(({ name }) => name);
    const joint = module.text.endsWith('.') ? '' : '.';
    return [module.text, ...items.map(({ name }) => `${module.text}${joint}${name}`)];
  });
}
