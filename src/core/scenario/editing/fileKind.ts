// How each kind of file that belongs to scenarios is read.
import type { z } from 'zod';
import type { ScenarioFileKind } from '../../model/scenarioFile.ts';
import type { ReadDocument } from '../readDocument.ts';
import { readComponent, readScenario, readScenarioConfig } from '../readScenario.ts';
import { componentSchema, scenarioConfigSchema, scenarioSchema } from '../scenarioSchema.ts';

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
