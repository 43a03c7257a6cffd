// Scenario files with a cursor in them (`¦`), and what surrounds them.
import type { EditedFile } from '../../../../src/core/scenario/editing/completion.ts';
import type { ScenarioFileKind } from '../../../../src/core/model/scenarioFile.ts';
import type { Surroundings } from '../../../../src/core/scenario/editing/surroundings.ts';

const range = { start: { line: 2, column: 7 }, end: { line: 2, column: 13 } };

export const surroundings: Surroundings = {
  components: [
    {
      name: 'Log in',
      description: 'Logs a user in.',
      parameters: [
        { name: 'user', isRequired: true },
        { name: 'remember', isRequired: false },
      ],
      file: '/shop/log-in.component.yaml',
      range,
    },
  ],
  variables: [
    { name: 'currency', value: 'EUR', file: '/shop/scenario.config.yaml', range },
    { name: 'apiToken', value: 'tok-77', file: '/shop/scenario.config.yaml', range },
  ],
  environments: ['local', 'staging'],
};

/** The file without its cursor, and the offset of the cursor. */
export function edited(
  marked: string,
  kind: ScenarioFileKind = 'scenario',
  isJson = false,
): { readonly file: EditedFile; readonly offset: number } {
  const offset = marked.indexOf('¦');
  return { file: { kind, text: marked.replace('¦', ''), isJson, surroundings }, offset };
}
