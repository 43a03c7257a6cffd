// A proposed repair and what became of it (DESIGN "Fix", INTERFACES "Verdicts", REPAIR "Trust is not reach").
import { z } from 'zod';
import { fileEditSchema } from './fileEdit.ts';
import { locationSchema } from './testResult.ts';

/** How far an edit reaches. */
export const gradeSchema = z.enum(['surgical', 'conservative', 'aggressive']);
export type Grade = z.infer<typeof gradeSchema>;

/** Who must agree: nobody, the user once per change, or a person each time. */
export const trustSchema = z.enum(['mechanical', 'oracle', 'propose']);
export type Trust = z.infer<typeof trustSchema>;

/** A changed expectation, as shown to the user: source text of both sides. */
export const expectationChangeSchema = z.object({ old: z.string(), new: z.string() });
export type ExpectationChange = z.infer<typeof expectationChangeSchema>;

export const faultSchema = z.enum(['test', 'source', 'environment', 'flaky', 'unknown']);
export type Fault = z.infer<typeof faultSchema>;

/** Who may write a fix beside the fixers here. */
export const outsiderSchema = z.enum(['model', 'agent']);
export type Outsider = z.infer<typeof outsiderSchema>;

/** What others need to know of where a fix comes from; its provider says it, so that nobody else compares names. */
const originSchema = z.object({
  author: outsiderSchema.optional(),
  /** What the test does that the fix mends: `imports something that has moved`. */
  outdated: z.string().optional(),
  /** It keeps tests out of one another's way: that a test fails only among others is its reason, not a doubt. */
  mendsOrder: z.literal(true).optional(),
  /** It makes the test wait: until then every value that the test sees is of a moment too early. */
  addsWait: z.literal(true).optional(),
  /** The provider judged the values that were recorded: they say nothing against it. */
  judgedValues: z.literal(true).optional(),
  /** It is what its provider doubts other expectations for. */
  answersDoubt: z.literal(true).optional(),
});
type Origin = z.infer<typeof originSchema>;

/** The part of a fix that is the same in all fixes of a provider. */
export interface MadeBy {
  readonly provider: string;
  readonly origin: Origin;
}

const plainFixSchema = z.object({
  /** Stable for the same edit: hash of provider and edits. */
  id: z.string(),
  /** Says what will change: "expect 'Hello, Ada' (was 'Hi, Ada')". */
  title: z.string(),
  grade: gradeSchema,
  trust: trustSchema,
  edits: z.array(fileEditSchema),
  /** Ids of the failing tests it is for. */
  failures: z.array(z.string()),
  /** Id of the FixProvider. */
  provider: z.string(),
  origin: originSchema.optional(),
  /** 0..1 */
  confidence: z.number(),
  /** One sentence each, for people. */
  evidence: z.array(z.string()),
  /** A trial told which literal is expected, where the text does not; the gate takes that for the reason. */
  byTrial: z.literal(true).optional(),
  /** It changes how the code is called and nothing that is expected; the gate holds it to that. */
  mendsCalls: z.boolean().optional(),
  /** It names the environment in which a test file runs, in a comment at its head; the gate holds it to that. */
  namesEnvironment: z.literal(true).optional(),
  /** A model or an agent made it: nobody says what kind of change it is, and the gate takes nothing for granted. */
  undeclared: z.literal(true).optional(),
  /** For oracle and propose fixes: what the test expected and will expect. */
  expectation: expectationChangeSchema.optional(),
  /** Why an oracle fix was lowered to propose (REPAIR "Value stops", "History stops"). */
  stops: z.array(z.object({ kind: z.enum(['value', 'history']), reason: z.string() })).optional(),
  /** It deletes the tests that it is for: a trust of its own, always `propose`. */
  removesTests: z.literal(true).optional(),
  /** What may be right instead of this changed expectation: one sentence. */
  otherSide: z.string().optional(),
  /** Who is at fault for the failure, as far as it is known, and why. */
  cause: z.object({ fault: faultSchema, reason: z.string() }).optional(),
  /** The source change that likely caused it. */
  sourceChange: z.object({ location: locationSchema, excerpt: z.string() }).optional(),
});
/** A step of a chain, with edits of the texts that the steps before it lead to. */
export type FixPart = z.infer<typeof plainFixSchema>;

export const fixSchema = plainFixSchema.extend({
  /**
   * The steps of a chain, in the order they build on each other: each made the tests get further, and all of them together make them
   * pass. The chain has the lowest trust of its parts, and `edits` makes all of them at once.
   */
  parts: z.array(plainFixSchema).optional(),
});
export type Fix = z.infer<typeof fixSchema>;

/** The failing tests that decide over a fix: of a chain those of its last step, which all others lead to. */
export const ownFailures = ({ parts, failures }: Pick<Fix, 'parts' | 'failures'>): readonly string[] =>
  parts?.at(-1)?.failures ?? failures;

export const violationSchema = z.object({
  rule: z.string(),
  file: z.string(),
  line: z.number().int(),
  text: z.string(),
});
export type Violation = z.infer<typeof violationSchema>;

/** weakened: the tests notice less · forbidden: the fix policy holds against it · cannot-tell: nothing is proven either way. */
const verdictKindSchema = z.enum(['weakened', 'forbidden', 'cannot-tell']);

export const verdictSchema = z.object({
  verdict: z.enum(['verified', 'rejected', 'unverifiable']),
  /** Of what is not verified; absent where its tests fail. */
  kind: verdictKindSchema.optional(),
  /** Present unless verified. */
  reason: z.string().optional(),
  /** How often the scope was run with the fix in place. */
  runs: z.number().int(),
  scope: z.enum(['test', 'file', 'affected', 'suite']),
  violations: z.array(violationSchema),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Who or what is at fault for a failing test, and why we think so. */
export interface Diagnosis {
  readonly fault: Fault;
  /** One or two sentences. */
  readonly reason: string;
}

/** Why a person must look at it, one sentence each: what stopped it; else, of a proposal, what is known of it. */
export function doubtsOf({
  trust,
  stops = [],
  evidence,
}: Pick<Fix, 'trust' | 'stops' | 'evidence'>): readonly string[] {
  if (stops.length > 0) return stops.map(({ reason }) => reason);
  return trust === 'propose' ? evidence : [];
}
