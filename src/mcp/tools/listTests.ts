// `list_tests` (CONTRACTS Q1): ids of tests, found without running any code of the root.
import { z } from 'zod';
import { discoverWorkspace } from '../../core/engine/discoverWorkspace.ts';
import { rootNamed, workspaceAt } from '../allowedRoots.ts';
import { fileSchema, rootArgument } from '../argumentSchemas.ts';
import { nextOffsetSchema, pageArguments, pageOf } from '../pages.ts';
import { tool } from '../tool.ts';

const usual = 200;

export const listTests = tool({
  name: 'list_tests',
  title: 'List tests',
  about:
    'Lists tests with their ids and lines. Runs no code. Narrow it with `search` or `file`; long lists come in pages.',
  onlyLists: true,
  readOnly: true,
  idempotent: true,
  input: z.strictObject({
    search: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Part of the id: framework, file, suites, title (any case).'),
    file: fileSchema.optional().describe('A test file or folder, relative to the root.'),
    ...pageArguments(usual, 2_000),
    ...rootArgument,
  }),
  output: z.object({
    totals: z.object({ files: z.number().int(), tests: z.number().int() }).describe('Of the whole root.'),
    matching: z.number().int(),
    tests: z.array(
      z.object({
        id: z.string(),
        line: z.number().int(),
        kind: z.literal('template').optional().describe('Stands for several tests that only a run knows.'),
      }),
    ),
    nextOffset: nextOffsetSchema,
    notes: z.array(z.string()),
  }),
  run: async ({ search = '', file, offset, limit = usual, root: name }, { settings, signal }) => {
    const root = rootNamed(settings, name);
    const { json, offer } = await discoverWorkspace(workspaceAt(root, settings), signal);
    const folder = file?.replaceAll('\\', '/').replace(/^\.\/|\/$/g, '');
    const isInPlace = (one: string): boolean =>
      folder === undefined || one === folder || one.startsWith(`${folder}/`);
    const part = search.toLowerCase();
    const found = json.files
      .filter((one) => isInPlace(one.file))
      .flatMap(({ tests }) => tests)
      .filter(({ id }) => id.toLowerCase().includes(part));
    const { items, nextOffset } = pageOf(found, offset, limit);
    return {
      totals: { ...json.totals },
      matching: found.length,
      tests: items.map(({ id, line, kind }) => ({ id, line, ...(kind === 'template' && { kind }) })),
      ...(nextOffset !== undefined && { nextOffset }),
      notes: [...json.notes, ...offer, ...json.problems.map(({ message, remedy }) => `${message} ${remedy}`)],
    };
  },
});
