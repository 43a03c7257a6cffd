// A scenario file, a file of components and the configuration beside them (CONTRACTS S1, S8).
import { z } from 'zod';
import { stepSchema, withIds, type Step } from './stepSchema.ts';

const text = z.string().min(1);
const plainName = z.string().regex(/^[A-Za-z_][\w-]*$/, 'must be a plain name: letters, digits, _ and -');

const variableType = z
  .enum(['string', 'number', 'boolean', 'json'])
  .default('string')
  .describe('What the value must be.');
const defaultValue = z.exactOptional(z.json()).describe('The value where nothing else gives one.');
const variableSchema = z.strictObject({
  name: plainName.describe('Used as {{name}}.'),
  type: variableType,
  defaultValue,
  fromEnv: z.exactOptional(text).describe('Name of the environment variable that gives the value.'),
  secret: z
    .boolean()
    .default(false)
    .describe('Its value is hidden in reports, and fields that hold it are masked in screenshots.'),
});

const storageState = z
  .exactOptional(
    z.strictObject({
      use: z
        .exactOptional(text)
        .describe('Name of a state that another scenario saved: cookies and local storage.'),
      saveAs: z
        .exactOptional(text)
        .describe('Save cookies and local storage under this name when the scenario is green.'),
    }),
  )
  .describe('Log in once: one scenario saves its state, others start with it.');

const viewport = z.exactOptional(
  z.strictObject({ width: z.number().int().min(1).max(10_000), height: z.number().int().min(1).max(10_000) }),
);
const timeout = z.exactOptional(z.number().int().min(1).max(600_000));
const retries = z.exactOptional(z.number().int().min(0).max(10));

export const scenarioSchema = z.strictObject({
  id: text.describe('Stays the same when the scenario is renamed; fingerprints and healings go by it.'),
  name: text.describe('The scenario as people call it; the title of its test.'),
  version: z.number().int().min(1).default(1).describe('Edition of the scenario.'),
  description: z.string().default('').describe('What the scenario proves.'),
  tags: z.array(text).default([]).describe('A run can choose scenarios by them.'),
  priority: z
    .enum(['critical', 'high', 'medium', 'low'])
    .default('medium')
    .describe('How bad it is when the scenario fails.'),
  variables: z.array(variableSchema).default([]).describe('Values that the steps use as {{name}}.'),
  environment: z.exactOptional(text).describe('Environment of the configuration, unless the run names one.'),
  timeout: timeout.describe('For each step without one of its own, in milliseconds.'),
  retries: retries.describe('How often a failed scenario is tried again.'),
  skip: z.exactOptional(z.union([z.boolean(), text])).describe('Do not run it; a text says why.'),
  lenient: z.boolean().default(false).describe('A missing variable is an empty text instead of a failure.'),
  storageState,
  setup: z.array(stepSchema).default([]).describe('Runs first; where it fails, the steps are skipped.'),
  steps: z.array(stepSchema).min(1).describe('What is done and checked, in order.'),
  teardown: z.array(stepSchema).default([]).describe('Runs last, also when a step failed.'),
});

export const componentSchema = z.strictObject({
  name: text.describe('Scenarios use the component by this name.'),
  description: z.string().default('').describe('What the component does.'),
  parameters: z
    .array(
      z.strictObject({
        name: plainName.describe('Used as {{name}} in the steps of the component.'),
        type: variableType,
        defaultValue,
      }),
    )
    .default([])
    .describe('Values that a scenario gives; used as {{name}}.'),
  steps: z.array(stepSchema).min(1).describe('The steps that take the place of the component.'),
});

const baseUrl = z.exactOptional(text).describe('Relative addresses of steps begin here.');
const environmentSchema = z.strictObject({
  baseUrl,
  variables: z
    .record(plainName, z.json())
    .default({})
    .describe('Values that steps use as {{name}}, by name.'),
  allowedOrigins: z.exactOptional(z.array(text)),
});

/** `scenario.config.yaml` at the top of a project: everything in it may be left out. */
export const scenarioConfigSchema = z.strictObject({
  baseUrl,
  environments: z
    .record(plainName, environmentSchema)
    .default({})
    .describe('Places to run in, by name: local, staging, …'),
  defaultEnvironment: z
    .exactOptional(text)
    .describe('The environment where neither run nor scenario names one.'),
  variables: z
    .record(plainName, z.json())
    .default({})
    .describe('Values that steps use as {{name}}, by name.'),
  allowedOrigins: z
    .exactOptional(z.array(text))
    .describe(
      'Origins that pages may navigate to, like https://shop.example or https://*.example; all when absent.',
    ),
  components: z
    .array(text)
    .default([])
    .describe('Files of components outside the folder of a scenario, as globs.'),
  testIdAttribute: text.default('data-testid').describe('The attribute that testId looks at.'),
  browser: z
    .exactOptional(text)
    .describe('chromium, chrome, msedge or the path of a program; the first one of the machine when absent.'),
  headless: z.boolean().default(true).describe('Without a window.'),
  viewport: viewport.describe('Size of the page, in CSS pixels; 1280 × 720 without it.'),
  timeout: timeout.describe('For each step without one of its own, in milliseconds.'),
  retries: retries.describe('How often a failed scenario is tried again.'),
  workers: z.exactOptional(z.number().int().min(1).max(16)).describe('Scenarios at once in one process.'),
  video: z.boolean().default(false).describe('Record a video of each scenario.'),
  trace: z
    .enum(['off', 'retries', 'failures', 'on'])
    .default('retries')
    .describe('When a trace for the viewer of Playwright is kept.'),
  screenshots: z.enum(['off', 'failures', 'steps']).default('failures').describe('When pictures are taken.'),
  mask: z.array(text).default([]).describe('CSS selectors of what is masked in screenshots.'),
  healing: z.boolean().default(true).describe('Off: no element is healed, whatever its locator says.'),
});

export type ScenarioConfig = z.infer<typeof scenarioConfigSchema>;
type Written = z.infer<typeof scenarioSchema>;
type WrittenComponent = z.infer<typeof componentSchema>;

export type Scenario = Omit<Written, 'setup' | 'steps' | 'teardown'> & {
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  readonly teardown: readonly Step[];
};
export type Component = Omit<WrittenComponent, 'steps'> & { readonly steps: readonly Step[] };

/** The scenario with an id for every step: `step-3`, `setup-1` and `teardown-1` where none is written. */
export function completeScenario(written: Written): Scenario {
  return {
    ...written,
    setup: withIds(written.setup, 'setup'),
    steps: withIds(written.steps),
    teardown: withIds(written.teardown, 'teardown'),
  };
}

export function completeComponent(written: WrittenComponent): Component {
  return { ...written, steps: withIds(written.steps) };
}
