// Reads which specs a Cypress project has from its configuration, without running it.
import path from 'node:path';
import { relativeResolver, textOfFile } from '../configFiles.ts';
import { evaluateDefaultExport, type StaticHost } from '../../syntax/javascript/evaluateModule.ts';
import {
  isList,
  notStatic,
  StaticFunction,
  StaticObject,
  type StaticValue,
} from '../../syntax/javascript/staticValue.ts';

/** In the order in which Cypress looks for them. */
export const configFileNames = ['js', 'ts', 'mjs', 'cjs'].map((ending) => `cypress.config.${ending}`);

export type TestingType = 'e2e' | 'component';

interface SpecPatterns {
  readonly type: TestingType;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Cypress's own, when nothing is configured (12 to 15). */
const defaults: Readonly<Record<TestingType, readonly string[]>> = {
  e2e: ['cypress/e2e/**/*.cy.{js,jsx,ts,tsx}'],
  component: ['**/*.cy.{js,jsx,ts,tsx}'],
};

/** For each testing type that is configured; without any, for e2e. What is computed is noted. */
export async function readSpecPatterns(
  configFile: string,
  note: (text: string) => void,
): Promise<readonly SpecPatterns[]> {
  const plain: SpecPatterns = { type: 'e2e', include: defaults.e2e, exclude: ['*.hot-update.js'] };
  const identity = new StaticFunction(([value]) => value);
  const host: StaticHost = {
    readText: textOfFile,
    resolve: relativeResolver(['.ts', '.js', '.mjs', '.cjs', '.json']),
    packageExport: (specifier, name): StaticValue =>
      specifier === 'cypress' && name === 'defineConfig' ? identity : notStatic,
  };
  const config = await evaluateDefaultExport(configFile, host);
  const file = path.basename(configFile);
  const unread = (what: string): void =>
    note(`${what} in ${file} cannot be read without running it; showing Cypress's defaults for it.`);
  if (!(config instanceof StaticObject)) {
    unread('The configuration');
    return [plain];
  }
  const texts = (value: StaticValue, name: string, fallback: readonly string[]): readonly string[] => {
    if (value === undefined) return fallback;
    const items = isList(value) ? value : [value];
    const known = items.filter((item) => typeof item === 'string');
    if (known.length === items.length) return known;
    unread(`"${name}"`);
    return fallback;
  };
  const found = (['e2e', 'component'] as const).flatMap((type): readonly SpecPatterns[] => {
    const own = config.get(type);
    if (own === undefined) return [];
    if (!(own instanceof StaticObject)) {
      unread(`"${type}"`);
      return type === 'e2e' ? [plain] : [];
    }
    const read = (name: string, fallback: readonly string[]): readonly string[] =>
      texts(own.get(name) ?? config.get(name), `${type}.${name}`, fallback);
    return [
      {
        type,
        include: read('specPattern', defaults[type]),
        exclude: read('excludeSpecPattern', plain.exclude),
      },
    ];
  });
  const e2e = found.find(({ type }) => type === 'e2e');
  if (found.length === 0) return [plain];
  // Component specs may lie anywhere; those that are e2e are not among them.
  return found.map((one) =>
    one.type === 'component' && e2e ? { ...one, exclude: [...one.exclude, ...e2e.include] } : one,
  );
}
