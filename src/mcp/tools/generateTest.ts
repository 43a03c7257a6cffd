// `generate_test` (CONTRACTS Q1): a first test for a source that has none, tried in a copy before it is given or written.
import { z } from 'zod';
import { makeFirstTest, tryFirstTest, writeFirstTest } from '../../core/engine/firstTest.ts';
import { rootNamed, workspaceAt } from '../allowedRoots.ts';
import { fileSchema, placesIn, rootArgument } from '../argumentSchemas.ts';
import { tool } from '../tool.ts';

export const generateTest = tool({
  name: 'generate_test',
  title: 'Generate a first test',
  about:
    'Makes a first test for a source file that has none, in the style of the workspace, and shows that it runs. Writes it only with write, and never over a file. Its to-dos are yours to fill in.',
  readOnly: false,
  input: z.strictObject({
    source: fileSchema.describe('Relative to the root.'),
    write: z.boolean().optional().describe('false when left out.'),
    ...rootArgument,
  }),
  output: z.object({
    source: z.string(),
    file: z.string(),
    framework: z.string(),
    text: z.string(),
    runs: z.boolean(),
    passed: z.number().int(),
    toDo: z.number().int(),
    reason: z.string().optional(),
    written: z.boolean(),
    notes: z.array(z.string()),
  }),
  run: async ({ source, write = false, root: name }, { settings, signal, progress }) => {
    const root = rootNamed(settings, name);
    const [place = ''] = placesIn(root, [source]);
    const workspace = workspaceAt(root, settings);
    const test = await makeFirstTest(workspace, place, signal);
    progress('trying it in a copy');
    const { runs, passed, toDo, reason } = await tryFirstTest(workspace, test, signal);
    if (write && runs) await writeFirstTest(root, test);
    return {
      source: test.source,
      file: test.file,
      framework: test.project.framework,
      text: test.text,
      runs,
      passed,
      toDo,
      ...(reason !== undefined && { reason }),
      written: write && runs,
      notes: [...test.notes],
    };
  },
});
