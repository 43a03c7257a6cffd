// `generate_html_report`: a run as one page that a person opens.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { htmlReportOf } from '../../core/engine/reportOfRun.ts';
import { reportFolder } from '../../core/reports/fileReporter.ts';
import { rootNamed } from '../allowedRoots.ts';
import { handleSchema, rootArgument } from '../argumentSchemas.ts';
import { tool } from '../tool.ts';
import { knownRun } from './testReports.ts';

export const htmlReport = tool({
  name: 'generate_html_report',
  title: 'HTML report',
  about: 'Write a run as one page for a person: failures with differences, history, flaky and slow tests.',
  readOnly: false,
  idempotent: true,
  input: z.strictObject({
    runId: handleSchema.optional().describe('The last run when left out.'),
    ...rootArgument,
  }),
  output: z.object({
    runId: z.string(),
    file: z.string().describe('Absolute; .testmend/report.html in the root.'),
    bytes: z.number().int(),
  }),
  run: async ({ runId, root: name }, call) => {
    const root = rootNamed(call.settings, name);
    const run = await knownRun({ runId, root: name }, call);
    const page = await htmlReportOf(root, run);
    const file = path.join(await reportFolder(root), 'report.html');
    await writeFile(file, page);
    return { runId: run.runId, file, bytes: Buffer.byteLength(page) };
  },
});
