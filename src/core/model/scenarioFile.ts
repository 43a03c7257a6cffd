// Which files belong to scenarios, by their names.

export type ScenarioFileKind = 'scenario' | 'component' | 'config';

/** `shop.scenario.yaml`, `log-in.component.json`, `scenario.config.yml`; undefined for all others. */
export function scenarioFileKind(file: string): ScenarioFileKind | undefined {
  if (/(?:^|[\\/])scenario\.config\.(?:ya?ml|json)$/.test(file)) return 'config';
  const kind = /\.(scenario|component)\.(?:ya?ml|json)$/.exec(file)?.[1];
  return kind === 'scenario' || kind === 'component' ? kind : undefined;
}

/** The same as globs, for editors. */
export const scenarioFileGlobs = [
  '**/*.{scenario,component}.{yaml,yml,json}',
  '**/scenario.config.{yaml,yml,json}',
] as const;
