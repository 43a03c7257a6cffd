// The page of the HTML report: a template that the build made, with its script and style in it, and the run as data.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HumanError } from '../base/humanError.ts';
import type { RunReport } from '../model/runReport.ts';

declare const TESTMEND_REPORT_PAGE: string | undefined;

/** Stands in the template where the data goes. */
const place = '"testmend:data"';

/** One HTML file that loads nothing. Throws a HumanError where the installation has no template. */
export async function reportPage(report: RunReport): Promise<string> {
  const template = await readTemplate();
  const [before, after] = template.split(place);
  if (before === undefined || after === undefined) throw new Error('the template has no place for data');
  return `${before}${asScriptText(report)}${after}`;
}

/** JSON that ends no script and begins no comment. */
const asScriptText = (data: unknown): string =>
  JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

async function readTemplate(): Promise<string> {
  if (typeof TESTMEND_REPORT_PAGE === 'string') return TESTMEND_REPORT_PAGE;
  const here = path.dirname(fileURLToPath(import.meta.url));
  // Beside the bundles, also from the sources.
  for (const folder of ['.', '..', '../../../dist']) {
    try {
      return await readFile(path.join(here, folder, 'report.html'), 'utf8');
    } catch {
      // It lies in another of these folders.
    }
  }
  throw new HumanError('broken-project', 'The template of the HTML report is missing.', {
    remedy: 'Install Testmend again; in its sources run: npm run build.',
  });
}
