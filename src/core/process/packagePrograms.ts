// Where package managers find the programs of packages: `npm test` has these folders on PATH, and tests start what lies there by name.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Absolute, of the folder and those above it, nearest first; also those that are not there. */
export function packageBins(folder: string): readonly string[] {
  const above = path.dirname(folder);
  const own = path.join(folder, 'node_modules/.bin');
  return above === folder ? [own] : [own, ...packageBins(above)];
}

/** The PATH of `env` behind these folders, under the name that the variable has there. */
export function withPackageBins(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const name = Object.keys(env).find((one) => one.toUpperCase() === 'PATH') ?? 'PATH';
  const known = (env[name] ?? '').split(path.delimiter).filter((one) => one !== '');
  const bins = packageBins(folder).filter((bin) => existsSync(bin));
  return { [name]: [...bins, ...known.filter((one) => !bins.includes(one))].join(path.delimiter) };
}
