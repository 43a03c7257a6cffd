// Reads how pytest is configured in a folder, from the text of its files alone.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { textOfFile } from '../configFiles.ts';
import { defaultNaming, type PythonNaming } from '../../syntax/python/findTests.ts';
import { iniSection } from './iniText.ts';
import { tomlTable, type TomlValue } from './tomlText.ts';

export interface PytestConfig {
  /** Absolute; absent when the defaults hold. */
  readonly file?: string;
  readonly testPaths: readonly string[];
  readonly fileNames: readonly string[];
  readonly naming: PythonNaming;
  readonly skippedFolders: readonly string[];
  readonly options: readonly string[];
}

interface Source {
  readonly name: string;
  /** Tables of a TOML file or sections of an INI file, the first that is there counts. */
  readonly sections: readonly string[];
}

/** In the order in which pytest looks; `pytest.ini` and its like count also without their section. */
const sources: readonly Source[] = [
  { name: 'pytest.toml', sections: ['pytest'] },
  { name: '.pytest.toml', sections: ['pytest'] },
  { name: 'pytest.ini', sections: ['pytest'] },
  { name: '.pytest.ini', sections: ['pytest'] },
  { name: 'pyproject.toml', sections: ['tool.pytest.ini_options', 'tool.pytest'] },
  { name: 'tox.ini', sections: ['pytest'] },
  { name: 'setup.cfg', sections: ['tool:pytest'] },
];

export const configNames: readonly string[] = sources.map(({ name }) => name);

export const defaultConfig: PytestConfig = {
  testPaths: [],
  fileNames: ['test_*.py', '*_test.py'],
  naming: defaultNaming,
  skippedFolders: ['*.egg', '.*', '_darcs', 'build', 'CVS', 'dist', 'node_modules', 'venv', '{arch}'],
  options: [],
};

/** The configuration of the folder, or undefined when pytest is not configured there; `names` are its entries. */
export function readPytestConfig(folder: string, names: ReadonlySet<string>): PytestConfig | undefined {
  for (const { name, sections } of sources) {
    if (!names.has(name)) continue;
    const file = path.join(folder, name);
    const text = textOfFile(file);
    if (text === undefined) continue;
    const read = name.endsWith('.toml') ? tomlTable : iniSection;
    const values = sections.map((section) => read(text, section)).find((found) => found !== undefined);
    if (values !== undefined) return configFrom(file, values);
    if (/^\.?pytest\.(?:ini|toml)$/.test(name)) return { ...defaultConfig, file };
  }
  return undefined;
}

/** Names of the entries of a folder; none when it cannot be read. */
export function namesOfEntries(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}

function configFrom(file: string, values: ReadonlyMap<string, TomlValue>): PytestConfig {
  const words = (name: string, fallback: readonly string[]): readonly string[] => {
    const value = values.get(name);
    if (value === undefined || typeof value === 'boolean') return fallback;
    return typeof value === 'string' ? splitWords(value) : value;
  };
  return {
    file,
    testPaths: words('testpaths', []),
    fileNames: words('python_files', defaultConfig.fileNames),
    naming: {
      classes: words('python_classes', defaultNaming.classes),
      functions: words('python_functions', defaultNaming.functions),
    },
    skippedFolders: words('norecursedirs', defaultConfig.skippedFolders),
    options: words('addopts', []),
  };
}

/** As Python's shlex splits: at white space, with quotes and backslashes. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [found] of text.matchAll(/(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g)) {
    words.push(
      found.replace(
        /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])/g,
        (_all, double?: string, single?: string, escaped?: string) =>
          double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? '',
      ),
    );
  }
  return words;
}

/** Values of an option in `options`, as `--name=value` and as `--name value`. */
export function optionValues(options: readonly string[], name: string): readonly string[] {
  return options.flatMap((word, index) => {
    if (word.startsWith(`${name}=`)) return [word.slice(name.length + 1)];
    const next = options[index + 1];
    return word === name && next !== undefined ? [next] : [];
  });
}
