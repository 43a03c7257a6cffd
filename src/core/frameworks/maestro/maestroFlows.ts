// Which YAML files of a Maestro workspace are its flows, by Maestro's own rules, and how a flow is called.
import path from 'node:path';
import picomatch from 'picomatch';
import { readYaml, type YamlValue } from '../readYaml.ts';

/** The `name` of its head, else the name of the file; maestroHost.mjs reads it the same way. */
export function flowTitle(text: string, file: string): string {
  const name = /^name:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^#\n]*?))[ \t]*(?:#.*)?\r?$/m.exec(headOf(text));
  const found = name?.[1] ?? name?.[2] ?? name?.[3] ?? '';
  return found === '' ? path.basename(file).replace(/\.ya?ml$/, '') : found;
}

/**
 * The flows among the files (relative to the workspace folder that is called `name`): those that `flows` of its config.yaml
 * includes, else those at its top; only with the tags that it asks for. What only other flows run is not among them unless included.
 */
export function flowsBelow(
  name: string,
  files: readonly string[],
  textOf: (file: string) => string,
): { readonly flows: readonly string[]; readonly notes: readonly string[] } {
  const config = files.find((file) => /^config\.ya?ml$/.test(file));
  const { values, notRead } =
    config === undefined ? { values: noValues, notRead: [] } : readYaml(textOf(config));
  const globs = texts(values.get('flows')) ?? ['*'];
  const isIncluded = picomatch(
    globs.filter((glob) => !glob.startsWith('!')),
    { ignore: globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1)), dot: true },
  );
  const [wanted = [], unwanted = []] = [texts(values.get('includeTags')), texts(values.get('excludeTags'))];
  const flows = files.filter((file) => {
    if (!/\.ya?ml$/.test(file) || file === config || !isIncluded(file)) return false;
    const text = textOf(file);
    const head = readYaml(headOf(text)).values;
    if (!/^---/m.test(text) || !(head.has('appId') || head.has('url'))) return false;
    const tags = texts(head.get('tags')) ?? [];
    const isAsked = wanted.length === 0 || tags.some((tag) => wanted.includes(tag));
    return isAsked && !tags.some((tag) => unwanted.includes(tag));
  });
  const unread = notRead.filter((key) => /^(?:flows|includeTags|excludeTags)$/.test(key));
  return {
    flows,
    notes: unread.map(
      (key) => `"${key}" in ${name}/${config ?? ''} is written in a way that is not read here.`,
    ),
  };
}

const noValues: ReadonlyMap<string, YamlValue> = new Map();

function headOf(text: string): string {
  // A head may itself begin with the mark of a document.
  return text.replace(/^(?:\s*---[ \t]*\r?\n)?/, '').split(/^---/m)[0] ?? '';
}

function texts(value: YamlValue | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items = Array.isArray(value) ? value : [value];
  return items.map(String);
}
