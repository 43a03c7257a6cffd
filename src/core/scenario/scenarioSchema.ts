// A scenario file, a file of components and the configuration beside them (CONTRACTS S1, S8).
import { z } from 'zod';
import { stepSchema, withIds, type Step } from './stepSchema.ts';

const text = z.string().min(1);
const plainName = z.string().regex(/^[A-Za-z_][\w-]*$/, 'must be a plain name: letters, digits, _ and -');

const variableSchema = z.strictObject({
  name: plainName,
  type: z.enum(['string', 'number', 'boolean', 'json']).default('string'),
  defaultValue: z.exactOptional(z.json()),
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
  name: text,
  version: z.number().int().min(1).default(1),
  description: z.string().default(''),
  tags: z.array(text).default([]),
  priority: z.enum(['critical', 'high', 'medium', 'low']).default('medium'),
  variables: z.array(variableSchema).default([]),
  environment: z.exactOptional(text).describe('Environment of the configuration, unless the run names one.'),
  timeout: timeout.describe('For each step without one of its own, in milliseconds.'),
  retries: retries.describe('How often a failed scenario is tried again.'),
  skip: z.exactOptional(z.union([z.boolean(), text])).describe('Do not run it; a text says why.'),
  lenient: z.boolean().default(false).describe('A missing variable is an empty text instead of a failure.'),
  storageState,
  setup: z.array(stepSchema).default([]).describe('Runs first; where it fails, the steps are skipped.'),
  steps: z.array(stepSchema).min(1),
  teardown: z.array(stepSchema).default([]).describe('Runs last, also when a step failed.'),
});

export const componentSchema = z.strictObject({
  name: text,
  description: z.string().default(''),
  parameters: z
    .array(
      z.strictObject({
        name: plainName,
        type: z.enum(['string', 'number', 'boolean', 'json']).default('string'),
        defaultValue: z.exactOptional(z.json()),
      }),
    )
    .default([]),
  steps: z.array(stepSchema).min(1),
});

const environmentSchema = z.strictObject({
  baseUrl: z.exactOptional(text),
  variables: z.record(plainName, z.json()).default({}),
  allowedOrigins: z.exactOptional(z.array(text)),
});

/** `scenario.config.yaml` at the top of a project: everything in it may be left out. */
export const scenarioConfigSchema = z.strictObject({
  baseUrl: z.exactOptional(text),
  environments: z.record(plainName, environmentSchema).default({}),
  defaultEnvironment: z.exactOptional(text),
  variables: z.record(plainName, z.json()).default({}),
  allowedOrigins: z
    .exactOptional(z.array(text))
    .describe(
      'Origins that pages may navigate to, like https://shop.example or https://*.example; all when absent.',
    ),
  components: z
    .array(text)
    .default([])
    .describe('Files of components outside the folder of a scenario, as globs.'),
  testIdAttribute: text.default('data-testid'),
  browser: z
    .exactOptional(text)
    .describe('chromium, chrome, msedge or the path of a program; the first one of the machine when absent.'),
  headless: z.boolean().default(true),
  viewport,
  timeout,
  retries,
  workers: z.exactOptional(z.number().int().min(1).max(16)).describe('Scenarios at once in one process.'),
  video: z.boolean().default(false),
  trace: z.enum(['off', 'failures', 'on']).default('failures'),
  screenshots: z.enum(['off', 'failures', 'steps']).default('failures'),
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
