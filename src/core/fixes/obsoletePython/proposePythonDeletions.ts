// Proposes to delete tests of what the change of the Python source removed.
import type { SyntaxNode } from '@lezer/common';
import { isFileId } from '../../model/testId.ts';
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { readImports } from '../../syntax/python/importStatements.ts';
import { parsePython, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import {
  namesMentioned,
  testDefinitionsIn,
  variablesIn,
  type TestDefinition,
} from '../../syntax/python/testDefinitions.ts';
import { createChangedReader, type ChangedSources } from '../changedSources.ts';
import type { FixContext } from '../fixProvider.ts';

import { pythonDeletion } from './deletePythonTests.ts';
import {
  goneDefinitions,
  goneRaises,
  keptRaises,
  type GoneDefinition,
  type RaisedError,
} from './whatIsGone.ts';

const providerId = 'python-obsolete';

type ChangedModules = ChangedSources<PythonSource>;

/** Tests of one file that are obsolete for the same reason are one proposal. Other expectations of them are doubted in the context. */
export async function proposePythonDeletions(context: FixContext): Promise<readonly Fix[]> {
  const isSource = (file: string): boolean => file.endsWith('.py') && !context.isTestFile(file);
  const readModules = createChangedReader(context, { isSource, parse });
  const sources = new Map<string, PythonSource | undefined>();
  // Whatever another fixer would do about such a failure, it follows what the test uses: that is not gone then.
  const isProposed = (id: string): boolean =>
    (context.proposed ?? []).some(({ failures }) => failures.includes(id));
  const found: Obsolete[] = [];
  for (const { result } of context.failing) {
    const { file, id } = result;
    if (context.signal.aborted) break;
    if (!file.endsWith('.py') || !context.isTestFile(file) || isProposed(id)) continue;
    const changed = await readModules(file);
    if (changed.pairs.length === 0) continue;
    if (!sources.has(file)) {
      const text = await context.readText(file);
      const source = text === undefined ? undefined : parsePython(text);
      sources.set(file, source?.errorLine === undefined ? source : undefined);
    }
    const source = sources.get(file);
    const obsolete = source && whyObsolete(result, source, changed);
    if (obsolete === undefined) continue;
    context.doubt?.(id, obsolete.sentence);
    found.push(obsolete);
  }
  return bySentence(found).flatMap((group) => fixOf(group) ?? []);
}

function parse(_file: string, text: string): PythonSource | undefined {
  const source = parsePython(text);
  return source.errorLine === undefined ? source : undefined;
}

interface Obsolete {
  readonly result: TestResult;
  readonly source: PythonSource;
  readonly tests: readonly TestDefinition[];
  /** Names that the source no longer has. */
  readonly gone: readonly string[];
  readonly sentence: string;
  /** What else may be meant: one sentence. */
  readonly otherSide?: string;
}

function whyObsolete(
  result: TestResult,
  source: PythonSource,
  changed: ChangedModules,
): Obsolete | undefined {
  if (isFileId(result.id)) return lostImport(result, source, changed);
  const name = [...result.suites, result.title.replace(/\[.*$/s, '')].join('.');
  const test = testDefinitionsIn(source).find((one) => one.name === name);
  if (test === undefined) return undefined;
  const asked = { result, source, test };
  return lostName(asked, changed) ?? lostError(asked, changed);
}

/** The file cannot be loaded, since it imports what is gone: the tests that use it are obsolete, all others are not. */
function lostImport(result: TestResult, source: PythonSource, changed: ChangedModules): Obsolete | undefined {
  const missing = /cannot import name '(\w+)'/.exec(result.failure?.message ?? '')?.[1];
  const all = goneDefinitions(changed.pairs);
  if (missing === undefined || !all.has(missing)) return undefined;
  const imported = readImports(source, source.root)
    .filter(({ module }) => module !== undefined)
    .flatMap(({ items }) => items.filter(({ name }) => all.has(name)));
  const locals = new Set(imported.map(({ name, alias }) => alias ?? name));
  const definitions = testDefinitionsIn(source);
  const tests = definitions.filter(({ node }) =>
    [...variablesIn(node, source)].some((name) => locals.has(name)),
  );
  // A helper or a fixture that uses it may be needed by any test.
  if (tests.length === 0 || isUsedOutside(definitions, locals, source)) return undefined;
  const gone = imported.flatMap(({ name }) => all.get(name) ?? []);
  return { result, source, tests, gone: gone.map(({ name }) => name), sentence: removed(gone, changed) };
}

/** Does anything that is neither a test nor an import mention one of the names? */
function isUsedOutside(
  tests: readonly TestDefinition[],
  names: ReadonlySet<string>,
  source: PythonSource,
): boolean {
  const ownRanges = new Set(tests.map(({ node }) => node.from));
  let isUsed = false;
  visitPython(source.root, (node) => {
    if (isUsed || node.name === 'ImportStatement' || (ownRanges.has(node.from) && isDefinition(node)))
      return false;
    isUsed = node.name === 'VariableName' && names.has(source.textOf(node));
    return true;
  });
  return isUsed;
}

const isDefinition = ({ name }: SyntaxNode): boolean => /^(?:Function|Decorated)/.test(name);

/** The test uses a function, method or class that is not there any more, and fails of that. */
function lostName({ result, source, test }: Asked, changed: ChangedModules): Obsolete | undefined {
  const message = result.failure?.message ?? '';
  const missing = /\bhas no attribute '(\w+)'|\bname '(\w+)' is not defined|cannot import name '(\w+)'/.exec(
    message,
  );
  const name = missing?.slice(1).find((one) => one !== undefined);
  const gone = name === undefined ? undefined : goneDefinitions(changed.pairs).get(name);
  if (gone === undefined || !namesMentioned(test.node, source).has(gone.name)) return undefined;
  return { result, source, tests: [test], gone: [gone.name], sentence: removed([gone], changed) };
}

/** The test waits for an error that nothing raises any more, or not for what it gives. */
function lostError({ result, source, test }: Asked, changed: ChangedModules): Obsolete | undefined {
  const awaited = /DID NOT RAISE (?:<class ')?(?:[\w.]+\.)?(\w+)(?:'>)?\s*$|\b(\w+) not raised\b/m.exec(
    result.failure?.message ?? '',
  );
  const className = awaited?.[1] ?? awaited?.[2];
  if (className === undefined) return undefined;
  const names = namesMentioned(test.node, source);
  const isMeant = (one: RaisedError): boolean => one.className === className;
  const isOwned = ({ owner }: RaisedError): boolean => owner !== undefined && names.has(owner);
  const gone = goneRaises(changed.pairs).filter(isMeant);
  const lost = gone.find(isOwned) ?? (gone.length === 1 ? gone[0] : undefined);
  const obsolete = { result, source, tests: [test], gone: [] };
  if (lost !== undefined)
    return {
      ...obsolete,
      sentence: `${placeOf(lost)} no longer raises ${shown(lost)} ${changed.when}, but the test still expects it.`,
    };
  // The error is there still, but not for what the test gives.
  const [kept, ...others] = keptRaises(changed.pairs).filter((one) => isMeant(one) && isOwned(one));
  if (kept === undefined || others.length > 0) return undefined;
  return {
    ...obsolete,
    sentence: `${placeOf(kept)} no longer rejects the input of the test (${changed.when}); for other input it still raises ${shown(kept)}.`,
    otherSide: 'If accepting this input is intended, the test may need another input that is still rejected.',
  };
}

const shown = ({ className, message }: RaisedError): string =>
  message === '' ? className : `${className}("${shorten(message)}")`;

const placeOf = ({ owner, file }: RaisedError): string =>
  owner === undefined ? file : `\`${owner}\` in ${file}`;

interface Asked {
  readonly result: TestResult;
  readonly source: PythonSource;
  readonly test: TestDefinition;
}

function removed(gone: readonly GoneDefinition[], { when }: ChangedModules): string {
  const names = [...new Set(gone.map(({ name }) => `\`${name}\``))].join(', ');
  const files = [...new Set(gone.map(({ file }) => file))].join(', ');
  return `${names}, which the test calls, ${gone.length === 1 ? 'was' : 'were'} removed from ${files} ${when}, and no certain replacement was found.`;
}

function bySentence(all: readonly Obsolete[]): readonly (readonly Obsolete[])[] {
  const groups = new Map<string, Obsolete[]>();
  for (const one of all) {
    const key = JSON.stringify([one.result.file, one.sentence]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

function fixOf(group: readonly Obsolete[]): Fix | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const { source, result, sentence, otherSide } = first;
  const tests = new Map(group.flatMap((one) => one.tests.map((test) => [test.name, test] as const)));
  const gone = new Set(group.flatMap((one) => one.gone));
  const changes = pythonDeletion(source, [...tests.values()], gone);
  if (changes === undefined) return undefined;
  const edits = [fileEdit(result.file, source.text, changes)];
  const [name] = tests.keys();
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: tests.size === 1 ? `delete the test "${name}"` : `delete ${tests.size} tests of removed code`,
    grade: 'conservative',
    trust: 'propose',
    removesTests: true,
    edits,
    failures: group.map((one) => one.result.id),
    provider: providerId,
    confidence: 0.4,
    evidence: [sentence],
    ...(otherSide !== undefined && { otherSide }),
  };
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
