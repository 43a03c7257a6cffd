// Whether another file may take a name from a module of Python or a package of Go: told from what they mention, so rather once too often.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** More than these are not read: then every name may be taken. */
const mostFiles = 5_000;
const neverEntered = /^(?:\..*|node_modules|__pycache__|site-packages|venv)$/;

/** `file`: relative to the root. The files are read when it is first asked. */
export function mayBeTakenByOthers(root: string, file: string): (name: string) => boolean {
  const stem = path.posix.basename(file, '.py');
  const module = stem === '__init__' ? path.posix.basename(path.posix.dirname(file)) : stem;
  let texts: readonly string[] | undefined;
  let isKnown = false;
  return (name) => {
    if (!isKnown) texts = textsBesides(root, file)?.filter((text) => mentions(module, text));
    isKnown = true;
    return (
      texts === undefined || texts.some((text) => mentions(name, text) || /\bimport\s*\(?\s*\*/.test(text))
    );
  };
}

/** Of a name at the top of a Go file; `file`: absolute. The files beside it are read when it is first asked. */
export function mayBeTakenInPackage(file: string): (name: string) => boolean {
  let texts: readonly string[] | undefined;
  let isKnown = false;
  return (name) => {
    if (!isKnown) texts = goTextsBeside(file);
    isKnown = true;
    return texts === undefined || texts.some((text) => mentions(name, text));
  };
}

/** Undefined where one cannot be read. */
function goTextsBeside(file: string): readonly string[] | undefined {
  const folder = path.dirname(file);
  try {
    return (
      readdirSync(folder)
        .filter((name) => name.endsWith('.go') && name !== path.basename(file))
        // Ours, while values are recorded.
        .filter((name) => !name.startsWith('testmend_capture_'))
        .map((name) => readFileSync(path.join(folder, name), 'utf8'))
    );
  } catch {
    return undefined;
  }
}

const mentions = (name: string, text: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

/** Undefined where there are too many, or one cannot be read. */
function textsBesides(root: string, file: string): readonly string[] | undefined {
  const texts: string[] = [];
  const pending = [''];
  try {
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
      if (folder !== '' && entries.some(({ name }) => name === 'pyvenv.cfg')) continue;
      for (const entry of entries) {
        const place = path.posix.join(folder, entry.name);
        if (entry.isDirectory() && !neverEntered.test(entry.name)) pending.push(place);
        else if (entry.isFile() && entry.name.endsWith('.py') && place !== path.posix.normalize(file))
          texts.push(readFileSync(path.join(root, place), 'utf8').normalize('NFKC'));
        if (texts.length > mostFiles) return undefined;
      }
    }
  } catch {
    return undefined;
  }
  return texts;
}
