// What Playwright's own list says of a workspace, beside what we list.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { playwright } from '../../../../src/core/frameworks/playwright/playwright.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

export interface Configured {
  readonly name: string;
  /** Of the configuration. */
  readonly text: string;
  readonly file?: string;
  readonly more?: Readonly<Record<string, string>>;
}

const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(z.object({ projectName: z.string() })),
});
interface Suite {
  readonly specs: readonly z.infer<typeof specSchema>[];
  readonly suites?: readonly Suite[] | undefined;
}
const suiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(specSchema), suites: z.array(suiteSchema).optional() }),
);
const reportSchema = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(suiteSchema),
});

/** Every test that `playwright test --list` knows, once for each project. */
export function runnerTests(root: string): readonly {
  readonly title: string;
  readonly file: string;
  readonly line: number;
  readonly project: string;
}[] {
  const cli = path.join(root, 'node_modules/@playwright/test/cli.js');
  const text = execFileSync(process.execPath, [cli, 'test', '--list', '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { config, suites } = reportSchema.parse(JSON.parse(text));
  const specs = (all: readonly Suite[]): Suite['specs'] =>
    all.flatMap((suite) => [...suite.specs, ...specs(suite.suites ?? [])]);
  return specs(suites).flatMap(({ title, file, line, tests }) =>
    tests.map(({ projectName: project }) => ({
      title,
      file: path.join(config.rootDir, file),
      line,
      project,
    })),
  );
}

/** `project file` of every test file: as we list them, and as Playwright does. */
export async function discoverWorkspace(
  files: Readonly<Record<string, string>>,
  { text, file = 'playwright.config.ts', more = {} }: Configured,
): Promise<{ readonly listed: readonly string[]; readonly own: readonly string[] }> {
  const workspace = await temporaryWorkspace(
    { ...files, ...more, [file]: text },
    { packages: ['@playwright'] },
  );
  try {
    const { projects } = await detectProjects(workspace.root);
    const [project] = projects;
    if (!project) throw new Error('no project');
    const drawn = (all: readonly { readonly file: string; readonly project?: string }[]): string[] => [
      ...new Set(all.map((one) => `${one.project ?? ''} ${path.relative(workspace.root, one.file)}`).sort()),
    ];
    return {
      listed: drawn(await playwright.listTestFiles(project)),
      own: drawn(runnerTests(workspace.root)),
    };
  } finally {
    await workspace.dispose();
  }
}
