// An import of the code under test may follow the code, but not lead to another file of the tests.
import { sidesOf, type FileChange, type Finding } from './fileFacts.ts';
import { moduleFiles } from './moduleFiles.ts';
import { lineOf } from './parseSource.ts';

/** `isTestFile` takes paths relative to the root. */
export function redirectionRules(
  change: FileChange,
  isTestFile: (file: string) => boolean,
): readonly Finding[] {
  const { file, before, after } = change;
  if (before === undefined || after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return [];
  const isTestModule = testModules(file, isTestFile);
  const [was, is] = sidesOf(change).map(({ bindings }) => bindings.imports);
  const findings: Finding[] = [];
  for (const [name, { module, node }] of is ?? []) {
    const old = was?.get(name)?.module;
    if (old === undefined || old === module || isTestModule(old) || !isTestModule(module)) continue;
    const text = `${name} is imported from ${module}, which belongs to the tests, instead of ${old}.`;
    findings.push({ rule: 'redirected-import', line: lineOf(node), text });
  }
  return findings;
}

/** Tells of the modules that a file imports which belong to the tests. */
export function testModules(
  file: string,
  isTestFile: (file: string) => boolean,
): (module: string) => boolean {
  return (module) => module.startsWith('.') && moduleFiles(module, file).some(isTestFile);
}
