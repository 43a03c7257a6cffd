// The schemas of scenario files as JSON Schema, for editors that do not speak to the engine.
import { z } from 'zod';
import type { ScenarioFileKind } from '../../model/scenarioFile.ts';
import { schemaOfKind } from './fileKind.ts';

/** As people write the file: fields with a default may be left out. */
export function jsonSchemaOf(kind: ScenarioFileKind): unknown {
  return JSON.parse(
    JSON.stringify(z.toJSONSchema(schemaOfKind[kind], { io: 'input', reused: 'ref' })),
  ) as unknown;
}
