// Reads a configuration file of mocha, whatever it is written in, without running it and without mocha's own packages.
import path from 'node:path';
import { relativeResolver, textOfFile } from '../configFiles.ts';
import { evaluateDefaultExport, type StaticHost } from '../../syntax/javascript/evaluateModule.ts';
import { isList, notStatic, StaticObject, type StaticValue } from '../../syntax/javascript/staticValue.ts';
import { findJsonError } from '../jsonError.ts';
import { canonicalName, listValues, type PartialOptions } from './mochaArguments.ts';
import { readYaml } from '../readYaml.ts';

/** What is known of a value: itself, or that it is computed. */
type Known = { readonly known: unknown } | 'computed';

const lists: ReadonlySet<string> = new Set(['spec', 'ignore', 'extension', 'file']);
const values: ReadonlySet<string> = new Set(['recursive', 'ui', 'parallel']);

/**
 * The options of the file as far as they matter before a run; for a package.json those under its key "mocha". What is computed,
 * broken or written in an unusual way is told in `notes`, with the file as `display` names it.
 */
export async function readMochaConfig(
  file: string,
  display: (file: string) => string,
  notes: string[],
): Promise<PartialOptions> {
  const entries = await entriesOf(file, display(file), notes);
  const found = new Map<string, readonly string[]>();
  const single = new Map<string, string | boolean>();
  const computed: string[] = [];
  for (const [written, value] of entries) {
    const name = canonicalName(written);
    if (!lists.has(name) && !values.has(name)) continue;
    if (value === 'computed') computed.push(written);
    else if (lists.has(name)) {
      const items = [value.known].flat().filter((item) => item !== null && item !== undefined);
      const texts = items.filter((item) => typeof item === 'string');
      if (texts.length < items.length) computed.push(written);
      if (texts.length > 0) found.set(name, [...(found.get(name) ?? []), ...listValues(name, texts)]);
    } else if (typeof value.known === 'string' || typeof value.known === 'boolean')
      single.set(name, value.known);
  }
  if (computed.length > 0) {
    const what = computed.map((name) => `"${name}"`).join(', ');
    notes.push(
      `${what} in ${display(file)} cannot be read without running it; a run goes by what mocha makes of it.`,
    );
  }
  return { lists: found, values: single };
}

async function entriesOf(file: string, name: string, notes: string[]): Promise<ReadonlyMap<string, Known>> {
  const text = textOfFile(file);
  if (text === undefined) {
    notes.push(`${name} cannot be read.`);
    return new Map();
  }
  const extension = path.extname(file);
  if (path.basename(file) === 'package.json') return fromJson(propertyOf(parsed(text), 'mocha'));
  if (/^\.ya?ml$/.test(extension)) return fromYaml(text, name, notes);
  if (/^\.[cm]?js$/.test(extension)) return fromModule(file, name, notes);
  const data = parsed(plainJson(text));
  if (data === undefined) {
    const { line, expected } = findJsonError(plainJson(text)) ?? { line: 1, expected: 'JSON' };
    notes.push(`${name} is broken at line ${line}: expected ${expected}.`);
  }
  return fromJson(data);
}

function fromJson(data: unknown): ReadonlyMap<string, Known> {
  if (typeof data !== 'object' || data === null) return new Map();
  return new Map(Object.entries(data).map(([key, known]) => [key, { known }]));
}

function fromYaml(text: string, name: string, notes: string[]): ReadonlyMap<string, Known> {
  const { values: read, notRead, badLine } = readYaml(text);
  if (badLine !== undefined)
    notes.push(`${name} is broken at line ${badLine}, or written in a form that Testmend does not read.`);
  return new Map<string, Known>([
    ...[...read].map(([key, known]) => [key, { known }] as const),
    ...notRead.map((key) => [key, 'computed'] as const),
  ]);
}

async function fromModule(file: string, name: string, notes: string[]): Promise<ReadonlyMap<string, Known>> {
  const host: StaticHost = {
    readText: textOfFile,
    resolve: relativeResolver(['.js', '.cjs', '.mjs', '.json']),
    packageExport: (): StaticValue => notStatic,
  };
  const config = await evaluateDefaultExport(file, host);
  if (!(config instanceof StaticObject)) {
    notes.push(
      `${name} cannot be read without running it; showing mocha's defaults until a run corrects it.`,
    );
    return new Map();
  }
  if (!config.complete) notes.push(`${name} takes in options that cannot be read without running it.`);
  const known = (value: StaticValue): Known => {
    if (isList(value)) return { known: value.map((item) => (typeof item === 'string' ? item : 0)) };
    return typeof value === 'symbol' || value instanceof StaticObject ? 'computed' : { known: value };
  };
  return new Map([...config.entries].map(([key, value]) => [key, known(value)]));
}

/** Comments and the text between them, so that lines stay where they are. */
function plainJson(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n\r]*|\/\*[^]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n\r]/g, ' '),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function propertyOf(data: unknown, key: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined;
  return new Map<string, unknown>(Object.entries(data)).get(key);
}
