// Which files belong to scenarios, and how each kind of them is read.
import type { z } from 'zod';
import type { ReadDocument } from '../readDocument.ts';
import { readComponent, readScenario, readScenarioConfig } from '../readScenario.ts';
import { componentSchema, scenarioConfigSchema, scenarioSchema } from '../scenarioSchema.ts';

export type ScenarioFileKind = 'scenario' | 'component' | 'config';

/** By the name of the file: `shop.scenario.yaml`, `log-in.component.json`, `scenario.config.yml`. */
export function scenarioFileKind(file: string): ScenarioFileKind | undefined {
  if (/(?:^|[\\/])scenario\.config\.(?:ya?ml|json)$/.test(file)) return 'config';
  const kind = /\.(scenario|component)\.(?:ya?ml|json)$/.exec(file)?.[1];
  return kind === 'scenario' || kind === 'component' ? kind : undefined;
}

export const schemaOfKind: Readonly<Record<ScenarioFileKind, z.ZodType>> = {
  scenario: scenarioSchema,
  component: componentSchema,
  config: scenarioConfigSchema,
};

/** Its problems with their places, and the document where it can be read. */
export function readByKind(kind: ScenarioFileKind, text: string, file: string): ReadDocument<unknown> {
  switch (kind) {
    case 'scenario':
      return readScenario(text, file);
    case 'component':
      return readComponent(text, file);
    case 'config':
      return readScenarioConfig(text, file);
  }
}
