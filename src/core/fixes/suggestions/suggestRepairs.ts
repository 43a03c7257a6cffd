// Lets the compiler's own suggestions settle the errors of a test file that are new since its sources changed, one after the other.
import path from 'node:path';
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { applyChanges } from '../../model/edit.ts';
import { parseTree, styleOf } from '../../syntax/javascript/sourceTree.ts';
import type { TestCompiler } from '../types/testCompiler.ts';
import { compilerSettings, type CompilerSettings } from '../types/typeCheck.ts';
import type { Suggestion, SuggestionAnswer, SuggestionQuestion } from './suggestionAnswer.ts';

/** Kinds of suggestions that keep what the test means; others edit the source, loosen types or silence the compiler. */
const kinds: ReadonlySet<string> = new Set([
  'import',
  'spelling',
  'fixImportNonExportedMember',
  'useDefaultImport',
  'addMissingAwait',
  'fixAwaitInSyncFunction',
  'addMissingAsync',
  'fixMissingCallParentheses',
  'addMissingNewOperator',
  'convertToTypeOnlyImport',
  'returnValueCorrect',
]);

const mostSteps = 20;

/**
 * `root` is absolute, `file` relative to it; null also where nothing is new. Each new error needs exactly one suggestion of those
 * kinds, in this file alone.
 */
export function suggestRepairs(
  root: string,
  file: string,
  question: SuggestionQuestion,
  compiler?: TestCompiler,
): SuggestionAnswer {
  const known = compilerSettings(root, file, compiler);
  const start = ts.sys.readFile(path.join(root, file));
  if (known === undefined || start === undefined) return null;
  const desk = new Desk(root, file, known, question);
  const wasThere = desk.errorsBefore();
  const isNew = ({ code, messageText }: ts.Diagnostic): boolean => !wasThere.has(keyOf(code, messageText));
  const isAsked = ({ code, messageText }: ts.Diagnostic): boolean =>
    question.only === undefined ||
    (question.only.codes.includes(code) && messageOf(messageText).includes(`'${question.only.name}'`));
  const first = desk.errors();
  if (question.only === undefined && !first.every(isNew))
    return { reason: 'The compiler found errors in the test before the change, too.' };
  const errors = first.map(({ code, start: at, file: source }) => ({
    line: source.getLineAndCharacterOfPosition(at).line + 1,
    code,
  }));
  const suggestions: Suggestion[] = [];
  for (let open = first; suggestions.length < mostSteps; open = desk.errors()) {
    const error = open.find((one) => isNew(one) && isAsked(one));
    if (error === undefined) {
      const answer = { text: hashText(start), after: desk.text, suggestions, errors };
      return suggestions.length === 0 ? null : answer;
    }
    const found = desk.settle(error);
    if ('reason' in found) return found;
    suggestions.push(found);
  }
  return { reason: `The compiler's suggestions lead to no end within ${mostSteps} steps.` };
}

const keyOf = (code: number, text: ts.Diagnostic['messageText']): string => `${code} ${messageOf(text)}`;

const messageOf = (text: ts.Diagnostic['messageText']): string => ts.flattenDiagnosticMessageText(text, ' ');

/** The test file under the compiler's language service, with what has been changed in it so far. */
class Desk {
  text: string;
  readonly #root: string;
  readonly #file: string;
  readonly #known: CompilerSettings;
  readonly #question: SuggestionQuestion;
  readonly #service: ts.LanguageService;
  /** Both versions share what did not change, the library files above all. */
  readonly #registry = ts.createDocumentRegistry();
  #version = 0;

  constructor(root: string, file: string, known: CompilerSettings, question: SuggestionQuestion) {
    this.#root = root;
    this.#file = path.join(root, file);
    this.#known = known;
    this.#question = question;
    this.text = ts.sys.readFile(this.#file) ?? '';
    this.#service = ts.createLanguageService(
      this.#host(
        (name) => (name === this.#file ? this.text : ts.sys.readFile(name)),
        (name) => ts.sys.fileExists(name),
        (name) => (name === this.#file ? String(this.#version) : 'now'),
      ),
      this.#registry,
    );
  }

  errors(): readonly ts.DiagnosticWithLocation[] {
    return errorsOf(this.#service, this.#file);
  }

  /** Of the file as it was, with its sources as they were; none where it is new. */
  errorsBefore(): ReadonlySet<string> {
    const { before } = this.#question;
    const texts = new Map(Object.entries(before).map(([name, text]) => [path.join(this.#root, name), text]));
    if (texts.get(this.#file) === null) return new Set();
    const read = (name: string): string | undefined =>
      texts.has(name) ? (texts.get(name) ?? undefined) : ts.sys.readFile(name);
    const exists = (name: string): boolean =>
      texts.has(name) ? texts.get(name) !== null : ts.sys.fileExists(name);
    const isSame = (name: string): boolean => name !== this.#file && !texts.has(name);
    const service = ts.createLanguageService(
      this.#host(read, exists, (name) => (isSame(name) ? 'now' : 'before')),
      this.#registry,
    );
    return new Set(errorsOf(service, this.#file).map(({ code, messageText }) => keyOf(code, messageText)));
  }

  /** Makes the one change that is suggested for the error. */
  settle(error: ts.DiagnosticWithLocation): Suggestion | { readonly reason: string } {
    const { start, length, code, messageText } = error;
    const style = styleOf(parseTree(this.#file, this.text));
    const offered = this.#service
      .getCodeFixesAtPosition(
        this.#file,
        start,
        start + length,
        [code],
        {
          ...ts.getDefaultFormatCodeSettings(style.eol),
          indentSize: style.indent === '\t' ? 4 : style.indent.length,
          convertTabsToSpaces: style.indent !== '\t',
        },
        { quotePreference: style.quote === "'" ? 'single' : 'double' },
      )
      .filter(({ fixName, changes, commands }) => {
        const isHere = changes.every(
          ({ fileName, isNewFile }) => fileName === this.#file && isNewFile !== true,
        );
        return kinds.has(fixName) && isHere && commands === undefined;
      });
    const line = error.file.getLineAndCharacterOfPosition(start).line + 1;
    const told = `the compiler says of line ${line}: ${messageOf(messageText).slice(0, 160)} (TS${code}).`;
    const [only, another] = offered;
    if (only === undefined)
      return { reason: `Nothing that keeps the test's meaning is suggested where ${told}` };
    if (another !== undefined)
      return {
        reason: `"${only.description}" and "${another.description}" are both suggested where ${told}`,
      };
    const changes = only.changes.flatMap(({ textChanges }) => textChanges);
    this.text = applyChanges(
      changes.map(({ span, newText }) => ({ start: span.start, end: span.start + span.length, newText })),
      this.text,
    );
    this.#version++;
    return {
      kind: only.fixName,
      says: only.description,
      error: messageOf(messageText),
      code,
      isOfChanged: this.#isOfChanged(only.description),
    };
  }

  /** `Add import from "../src/food"`, `Update import from "…"`. */
  #isOfChanged(says: string): boolean {
    const module = /from ["'](?<module>[^"']+)["']/.exec(says)?.groups?.['module'];
    if (module === undefined) return false;
    const found = ts.resolveModuleName(module, this.#file, this.#known.settings, ts.sys).resolvedModule;
    const name = found && path.relative(this.#root, found.resolvedFileName).split(path.sep).join('/');
    return name !== undefined && this.#question.sources.includes(name);
  }

  #host(
    read: (name: string) => string | undefined,
    exists: (name: string) => boolean,
    version: (name: string) => string,
  ): ts.LanguageServiceHost {
    const { settings, library, folder } = this.#known;
    const roots = [this.#file, ...this.#question.sources.map((name) => path.join(this.#root, name))];
    return {
      getCompilationSettings: () => settings,
      getScriptFileNames: () => roots.filter(exists),
      getScriptVersion: version,
      getScriptSnapshot: (name) => {
        const text = read(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: (options) => path.join(library, ts.getDefaultLibFileName(options)),
      readFile: read,
      fileExists: exists,
      directoryExists: (name) => ts.sys.directoryExists(name),
      getDirectories: (name) => ts.sys.getDirectories(name),
      readDirectory: (...given) => ts.sys.readDirectory(...given),
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    };
  }
}

function errorsOf(service: ts.LanguageService, file: string): readonly ts.DiagnosticWithLocation[] {
  return service
    .getSemanticDiagnostics(file)
    .filter((one): one is ts.DiagnosticWithLocation => one.file?.fileName === file && one.start !== undefined)
    .filter(({ category }) => category === ts.DiagnosticCategory.Error)
    .toSorted((a, b) => a.start - b.start);
}
