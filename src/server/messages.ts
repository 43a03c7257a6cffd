// The wire contract between an editor and the engine: every request and notification beyond plain LSP, with its schema.
import { z } from 'zod';
import type { HumanErrorCode } from '../core/base/humanError.ts';
import {
  fileTotalsSchema,
  frameworkIdSchema,
  knownResultSchema,
  listedProjectSchema,
  listedSkillSchema,
  rootSettingsSchema as engineSettingsSchema,
  targetSchema,
} from '../core/engine/rootSchemas.ts';
import { cycleEventSchema, cycleReportSchema, remainingSchema } from '../core/model/cycle.ts';
import { debugEndSchema, debugSessionSchema } from '../core/model/debugSession.ts';
import { fileCoverageSchema } from '../core/model/coverageSchema.ts';
import { fileEditSchema } from '../core/model/edit.ts';
import {
  expectationChangeSchema,
  faultSchema,
  fixSchema,
  gradeSchema,
  verdictSchema,
} from '../core/model/fix.ts';
import { outsideSchema } from '../core/model/outside.ts';
import { testResultSchema } from '../core/model/testResult.ts';
import type { TestFile, TestNode } from '../core/model/testNode.ts';
import { notification, request } from './contract.ts';

export type {
  FileTotals as WireFileTotals,
  KnownResult as WireLastResult,
  ListedProject,
  ListedSkill,
  Target,
} from '../core/engine/rootSchemas.ts';
export type { NotificationContract, RequestContract } from './contract.ts';

/** What the engine is told about one workspace folder, as an editor names it. */
export const rootSettingsSchema = engineSettingsSchema.extend({
  /** The folder as the editor names it, when that is not the real path (links, remote hosts). */
  uri: z.string().optional(),
});
export type RootSettings = z.infer<typeof rootSettingsSchema>;

/** LSP `initializationOptions`; an editor that sends none gets its workspace folders with the defaults. */
export const configurationSchema = z.object({
  roots: z.array(rootSettingsSchema),
  /** False: tests are discovered, nothing is run (DESIGN invariant 7). */
  trusted: z.boolean(),
  /** Folder for caches and decisions, outside every workspace. */
  storageFolder: z.string().optional(),
  /** The client shows results itself and has its own dialogue for fixes (VS Code): diagnostics become hints. */
  hasOwnUi: z.boolean().default(false),
});
export type Configuration = z.infer<typeof configurationSchema>;

const rangeSchema = z.object({
  start: z.object({ line: z.number(), column: z.number() }),
  end: z.object({ line: z.number(), column: z.number() }),
});
const testNodeSchema: z.ZodType<TestNode> = z.lazy(() =>
  z.object({
    id: z.string(),
    kind: z.enum(['suite', 'test', 'template']),
    title: z.string(),
    suites: z.array(z.string()),
    mode: z.enum(['run', 'skip', 'todo', 'only']),
    range: rangeSchema,
    children: z.array(testNodeSchema),
  }),
);
const testFileSchema: z.ZodType<TestFile> = z.object({
  id: z.string(),
  file: z.string(),
  framework: frameworkIdSchema,
  project: z.exactOptional(z.string()),
  tests: z.array(testNodeSchema),
  warnings: z.array(z.string()),
});

const sourceSchema = z.object({ root: z.string(), file: z.string() });
const testRefSchema = z.object({ root: z.string(), ids: z.array(z.string()) });

/** `RunEvent` of the model, as it crosses. */
const runEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('fileStarted'), fileId: z.string(), file: z.string() }),
  z.object({ type: z.literal('testStarted'), id: z.string(), file: z.string() }),
  z.object({ type: z.literal('testEnded'), result: testResultSchema }),
  z.object({
    type: z.literal('output'),
    id: z.string().optional(),
    file: z.string().optional(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  z.object({ type: z.literal('note'), text: z.string() }),
]);
export type WireRunEvent = z.infer<typeof runEventSchema>;

const runEndSchema = z.object({
  total: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  errored: z.number(),
  passRate: z.number().nullable(),
  durationMs: z.number(),
  notes: z.array(z.string()),
  ended: z.enum(['complete', 'timeout', 'cancelled']),
  /** Of the skipped: those that a cancel kept from ending. */
  notRun: z.number().optional(),
  /** Of a run with coverage. */
  coverage: z.array(fileTotalsSchema).optional(),
});
export type RunEnd = z.infer<typeof runEndSchema>;

/** Requests from the editor; each can be cancelled with LSP's `$/cancelRequest`. */
export const requests = {
  /** Lists the frameworks and test files of all roots, without reading tests. */
  listFiles: request(
    'testmend/listFiles',
    z.object({}),
    z.object({ projects: z.array(listedProjectSchema), notes: z.array(z.string()) }),
  ),
  /** Finds the tests of some listed files, from open documents where there are, else from disk; files that are gone are left out. */
  discoverFiles: request(
    'testmend/discoverFiles',
    testRefSchema,
    z.object({ files: z.array(testFileSchema) }),
  ),
  /**
   * Runs tests of one root, all without `targets`; its events arrive as `runEvents`, and the answer when it has ended. With `debug`
   * the engine asks the editor to start the processes (`editorRequests.debug`).
   */
  run: request(
    'testmend/run',
    z.object({
      runId: z.string(),
      root: z.string(),
      targets: z.array(targetSchema).optional(),
      debug: z.boolean().optional(),
      coverage: z.boolean().optional(),
      /** So many times, judged as one run: failed once is failed. */
      repeat: z.number().int().min(2).optional(),
      /** Stored snapshots are written anew. */
      updateSnapshots: z.boolean().optional(),
    }),
    runEndSchema,
  ),
  /**
   * Ids of the test files of one root that changes can touch: of the files that an editor saved or somebody wrote (relative to the
   * root; of the written only those whose content changed), or, without either, of what git knows to have changed.
   */
  affectedTests: request(
    'testmend/affectedTests',
    z.object({
      root: z.string(),
      saved: z.array(z.string()).optional(),
      written: z.array(z.string()).optional(),
      /** Each purpose hears of a written file once. */
      purpose: z.enum(['run', 'state']).optional(),
    }),
    z.object({
      ids: z.array(z.string()),
      /** The changes that counted. */
      changed: z.array(z.string()),
      notes: z.array(z.string()),
    }),
  ),
  /** The skills of one root (CONTRACTS K1), with the id of their test file where there is one. */
  skills: request(
    'testmend/skills',
    z.object({ root: z.string() }),
    z.object({
      skills: z.array(listedSkillSchema),
    }),
  ),
  /** What the catalogue says of a skill, looked at (CONTRACTS K7): its descriptor, its tests file, and whether that loads. */
  smokeTestSkill: request(
    'testmend/smokeTestSkill',
    z.object({ root: z.string(), shortName: z.string() }),
    z.object({ checks: z.array(z.object({ name: z.string(), problem: z.string().optional() })) }),
  ),
  /** Where the tests of a skill go, relative to the root, and a first text that runs; refuses where there is a file already. */
  newSkillTest: request(
    'testmend/newSkillTest',
    z.object({ root: z.string(), shortName: z.string() }),
    z.object({ file: z.string(), text: z.string() }),
  ),
  /** A source without a test to begin with, relative to the root, where a workspace has no tests; absent where there is none. */
  sourceToBeginWith: request(
    'testmend/sourceToBeginWith',
    z.object({ root: z.string() }),
    z.object({ file: z.string().optional() }),
  ),
  /** A first test for a source (both relative to the root): its place and its text. Refuses where there is one; runs nothing. */
  newTest: request(
    'testmend/newTest',
    sourceSchema,
    z.object({ file: z.string(), text: z.string(), framework: z.string(), notes: z.array(z.string()) }),
  ),
  /** Runs this text of it in a sandbox copy: how many passed, how many places wait for real assertions, or why it does not run. */
  tryNewTest: request(
    'testmend/tryNewTest',
    sourceSchema.extend({ text: z.string() }),
    z.object({ runs: z.boolean(), passed: z.number(), toDo: z.number(), reason: z.string().optional() }),
  ),
  /** Opens a browser at the address, and writes what a person does there; a cancel ends it like a close. `file` is relative to the root. */
  recordScenario: request(
    'testmend/recordScenario',
    z.object({ root: z.string(), url: z.string().optional() }),
    z.object({ file: z.string(), steps: z.number(), notes: z.array(z.string()) }),
  ),
  /** Ids of the test files of one root that belong to a layer (CONTRACTS F1), and how many files each layer has. */
  layerTests: request(
    'testmend/layerTests',
    z.object({ root: z.string(), layer: z.enum(['L1', 'L2', 'L3']) }),
    z.object({ ids: z.array(z.string()), note: z.string() }),
  ),
  /**
   * What ran of one file in the last run with coverage of its root, by all tests or by one; undefined when that run is not the
   * last one any more.
   */
  coverageDetails: request(
    'testmend/coverageDetails',
    z.object({ runId: z.string(), root: z.string(), file: z.string(), test: z.string().optional() }),
    z.object({ coverage: fileCoverageSchema.optional() }),
  ),
  /**
   * The last results of a root, also of earlier windows: what did not pass first, at most 300 files. Passed tests that discovery
   * finds have an empty title.
   */
  lastResults: request(
    'testmend/lastResults',
    z.object({ root: z.string() }),
    z.object({ results: z.array(knownResultSchema) }),
  ),
  /** Proposes fixes for failing tests of the last run; nothing is proven or changed yet. */
  proposeFixes: request(
    'testmend/proposeFixes',
    testRefSchema,
    z.object({
      fixes: z.array(fixSchema),
      diagnoses: z.array(z.object({ id: z.string(), fault: faultSchema, reason: z.string() })),
    }),
  ),
  /** Tries a proposed fix in the sandbox. */
  verifyFix: request(
    'testmend/verifyFix',
    z.object({ root: z.string(), fixId: z.string() }),
    z.object({ fix: fixSchema, verdict: verdictSchema, diff: z.string() }),
  ),
  /**
   * Runs a fix cycle in the sandbox; its events arrive as `cycleEvents`, cancelling it still answers with its report. `resume` is a
   * cycle that was killed, with the fixes of it that the user discarded since; `stale` where there is nothing of it to take up.
   */
  startCycle: request(
    'testmend/startCycle',
    z.object({
      cycleId: z.string(),
      root: z.string(),
      files: z.array(z.string()).readonly().optional(),
      /** Absent: nobody beside the built-in fixers is asked. */
      outside: outsideSchema.optional(),
      resume: z.object({ cycleId: z.string(), discarded: z.array(z.string()) }).optional(),
    }),
    cycleReportSchema,
  ),
  /** Forgets what is kept of a cycle that was killed. */
  forgetCycle: request(
    'testmend/forgetCycle',
    z.object({ cycleId: z.string(), root: z.string() }),
    z.object({}),
  ),
  /**
   * Turns accepted fixes of a cycle into edits of the files as they are on disk. `kept` are all verified fixes of the cycle in the
   * order they were proven, `applied` those already in the files, `bases` the texts of files before the first of them, for an engine
   * that was started since. Throws `stale` when a file is not what the cycle left.
   */
  composeFixes: request(
    'testmend/composeFixes',
    z.object({
      root: z.string(),
      kept: z.array(fixSchema),
      applied: z.array(fixSchema),
      accepted: z.array(fixSchema),
      bases: z.record(z.string(), z.string()).optional(),
    }),
    z.object({ edits: z.array(fileEditSchema) }),
  ),
  /**
   * Runs the tests of applied fixes as they are on disk, and takes those of `judged` out of the files none of whose tests passes,
   * twice, with what was made on top of them. `reasons` are by fix id; `notes` say it, and what had to stay, to the user. The
   * others are as for `composeFixes`.
   */
  takeBackFixes: request(
    'testmend/takeBackFixes',
    z.object({
      root: z.string(),
      kept: z.array(fixSchema),
      applied: z.array(fixSchema),
      judged: z.array(z.string()),
      bases: z.record(z.string(), z.string()),
    }),
    z.object({ reasons: z.record(z.string(), z.string()), notes: z.array(z.string()) }),
  ),
  /** What is known of failures that a cycle left, as Markdown for a colleague or an agent. */
  handOver: request(
    'testmend/handOver',
    z.object({ root: z.string(), failures: z.array(remainingSchema) }),
    z.object({ markdown: z.string() }),
  ),
  /** Remembers that an expectation is right and the source is wrong, until either changes. */
  markBug: request('testmend/markBug', testRefSchema.extend({ reason: z.string() }), z.object({})),
  /**
   * Uses a tool of the MCP server for an agent in the editor. The answer is what an MCP client would get, or a question that its user has
   * to answer: the request is then sent again with `answers`, by key.
   */
  useTool: request(
    'testmend/useTool',
    z.object({
      name: z.string(),
      input: z.unknown(),
      answers: z.record(z.string(), z.enum(['accept', 'decline'])).default({}),
    }),
    z.union([
      z.object({ text: z.string(), isError: z.boolean() }),
      z.object({ question: z.object({ key: z.string(), text: z.string() }) }),
    ]),
  ),
};
export type UseTool = z.output<(typeof requests)['useTool']['params']>;
export type ToolAnswer = z.output<(typeof requests)['useTool']['result']>;

/** Requests from the engine. */
export const editorRequests = {
  /** Starts a debug session for a run that asked for it; answers when the session has ended, also when it was cancelled. */
  debug: request(
    'testmend/debug',
    z.object({ runId: z.string(), sessionId: z.string(), session: debugSessionSchema }),
    debugEndSchema,
  ),
  /** Asks a model of the editor for a cycle that was started with it; how far it is comes as `modelProgress`. */
  askModel: request(
    'testmend/askModel',
    z.object({ askId: z.string(), modelId: z.string(), system: z.string(), user: z.string() }),
    z.discriminatedUnion('answered', [
      z.object({
        answered: z.literal(true),
        text: z.string(),
        /** As the model counts them; absent where it does not. */
        inputTokens: z.exactOptional(z.number().int()),
        outputTokens: z.exactOptional(z.number().int()),
      }),
      z.object({ answered: z.literal(false), reason: z.string(), remedy: z.string() }),
    ]),
  ),
};
export type AskModelParams = z.output<(typeof editorRequests)['askModel']['params']>;
export type ModelAnswer = z.output<(typeof editorRequests)['askModel']['result']>;
export type StartCycle = z.output<(typeof requests)['startCycle']['params']>;
export type DebugParams = z.output<(typeof editorRequests)['debug']['params']>;

/** Notifications from the engine. */
export const engineNotifications = {
  /** Events of a run, batched: at most 50 ms old or 1,000 of them. */
  runEvents: notification(
    'testmend/runEvents',
    z.object({ runId: z.string(), events: z.array(runEventSchema) }),
  ),
  /** Events of a cycle, batched likewise. */
  cycleEvents: notification(
    'testmend/cycleEvents',
    z.object({ cycleId: z.string(), events: z.array(cycleEventSchema) }),
  ),
  /** What the user has to know at once, as that files were given back after a kill. */
  told: notification('testmend/told', z.object({ text: z.string() })),
};

/** Notifications from the editor. */
export const editorNotifications = {
  /** Settings, folders or trust changed. */
  configure: notification('testmend/configure', configurationSchema),
  /** What the process of a debug session prints. */
  debugOutput: notification(
    'testmend/debugOutput',
    z.object({ sessionId: z.string(), stream: z.enum(['stdout', 'stderr']), text: z.string() }),
  ),
  /** How much of its answer a model of the editor has given. */
  modelProgress: notification(
    'testmend/modelProgress',
    z.object({ askId: z.string(), characters: z.number().int() }),
  ),
};

/** Commands that code actions carry; an editor with its own dialogue runs them itself, for others the engine does. */
export const codeActionCommands = { tryFix: 'testmend.tryFix', isBug: 'testmend.isBug' } as const;
/** Carried by the lens above a scenario; its argument is the uri of a test file. */
export const runFileCommand = 'testmend.runFile';
export const recordCommand = 'testmend.recordScenario';
/** Carried by code actions on a healed step; the engine runs it for every editor. */
export const healingCommand = 'testmend.decideHealing';

/** Argument of both commands. */
export const codeActionArgumentSchema = z.object({
  root: z.string(),
  fixId: z.string(),
  title: z.string(),
  failures: z.array(z.string()),
  grade: gradeSchema,
  expectation: expectationChangeSchema.optional(),
});
export type CodeActionArgument = z.infer<typeof codeActionArgumentSchema>;

export type RunEvents = z.output<(typeof engineNotifications)['runEvents']['params']>;
export type CycleEvents = z.output<(typeof engineNotifications)['cycleEvents']['params']>;

const errorCodes = [
  'usage',
  'broken-project',
  'not-installed',
  'no-tests',
  'bad-input',
  'read-only',
  'busy',
  'stale',
  'timeout',
  'cancelled',
  'untrusted',
] as const satisfies readonly HumanErrorCode[];

/** `data` of a response error: a HumanError's code and remedy, so that the editor can say what to do. */
export const errorDataSchema = z.object({
  code: z.enum(errorCodes),
  remedy: z.string(),
  file: z.string().optional(),
});
