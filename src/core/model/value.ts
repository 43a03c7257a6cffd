// A runtime value recorded in a running test, as data that can cross a process and become source text again.
import { z } from 'zod';

export type Value =
  | { readonly kind: 'undefined' | 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** Source text of the number: `-0`, `NaN`, `Infinity`, `1e21` survive. */
  | { readonly kind: 'number' | 'bigint'; readonly text: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly Value[] }
  /** Plain objects have no className. Keys that are symbols begin with `@@`, registered ones with `@@for:`. */
  | {
      readonly kind: 'object';
      readonly entries: readonly (readonly [string, Value])[];
      readonly className?: string | undefined;
    }
  | { readonly kind: 'date'; readonly iso: string }
  | { readonly kind: 'regexp'; readonly source: string; readonly flags: string }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Value, Value])[] }
  | { readonly kind: 'set'; readonly items: readonly Value[] }
  | {
      readonly kind: 'error';
      readonly name: string;
      readonly message: string;
      /** Its other own properties. */
      readonly entries?: readonly (readonly [string, Value])[] | undefined;
    }
  /** Anything that has no literal: functions, symbols, proxies, cycles, what was cut off for its size. */
  | { readonly kind: 'opaque'; readonly description: string };

/** What an assertion about some properties of an error looks at. */
export function propertiesOf({
  name,
  message,
  entries = [],
}: Value & { kind: 'error' }): Value & { kind: 'object' } {
  const text = (value: string): Value => ({ kind: 'string', value });
  return { kind: 'object', entries: [['name', text(name)], ['message', text(message)], ...entries] };
}

/** What the first part of a value is that has no literal: `a function`, `text too long`; undefined where every part has one. */
export function firstOpaque(value: Value): string | undefined {
  switch (value.kind) {
    case 'opaque':
      return value.description;
    case 'array':
    case 'set':
      return value.items.map(firstOpaque).find(Boolean);
    case 'map':
      return value.entries.flat().map(firstOpaque).find(Boolean);
    case 'object':
    case 'error':
      return value.entries?.map(([, inner]) => firstOpaque(inner)).find(Boolean);
    default:
      return undefined;
  }
}

const valueSchema: z.ZodType<Value> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['undefined', 'null']) }),
    z.object({ kind: z.literal('boolean'), value: z.boolean() }),
    z.object({ kind: z.enum(['number', 'bigint']), text: z.string() }),
    z.object({ kind: z.literal('string'), value: z.string() }),
    z.object({ kind: z.literal('array'), items: z.array(valueSchema) }),
    z.object({
      kind: z.literal('object'),
      entries: z.array(z.tuple([z.string(), valueSchema])),
      className: z.string().optional(),
    }),
    z.object({ kind: z.literal('date'), iso: z.string() }),
    z.object({ kind: z.literal('regexp'), source: z.string(), flags: z.string() }),
    z.object({ kind: z.literal('map'), entries: z.array(z.tuple([valueSchema, valueSchema])) }),
    z.object({ kind: z.literal('set'), items: z.array(valueSchema) }),
    z.object({
      kind: z.literal('error'),
      name: z.string(),
      message: z.string(),
      entries: z.array(z.tuple([z.string(), valueSchema])).optional(),
    }),
    z.object({ kind: z.literal('opaque'), description: z.string() }),
  ]),
);

/** An object of Python that no literal has. */
const pythonObjectSchema = z.object({
  /** `datetime.date`, with its module. */
  type: z.string(),
  /** Dotted names that reach just it where the test compares: `Color.RED`. */
  names: z.array(z.string()),
  /** The same of what makes another one of its class. */
  callees: z.array(z.string()),
  /** The parameters of that which have places, in their order. */
  params: z.array(z.string()),
  /** What that would be called with (name, value, is it so by default?); null where it is not known. */
  args: z.array(z.tuple([z.string(), z.string(), z.boolean()])).nullable(),
  /** What tells it from others of its class, where that is not what it is made of. */
  key: z.string(),
  /** What it is equal to of a built-in class, from which its own comes. */
  plain: z.string().optional(),
});
export type PythonObject = z.infer<typeof pythonObjectSchema>;

/** A literal, in which `@0` stands for the first of the objects, or what it is that cannot be written as one. */
const pythonSideSchema = z.union([
  z.object({ text: z.string(), objects: z.array(pythonObjectSchema).optional() }),
  z.object({ refused: z.string() }),
]);
export type PythonSide = z.infer<typeof pythonSideSchema>;

const pythonCallSchema = z.object({
  /** Of a member of the mock: `send`, `().send`; empty for the mock itself. */
  name: z.string(),
  args: z.array(pythonSideSchema),
  kwargs: z.record(z.string(), pythonSideSchema),
  /** Places (from 0) and names of the arguments that are equal in the call it was held against. */
  same: z.array(z.string()),
});
export type PythonCall = z.infer<typeof pythonCallSchema>;

const assertionSchema = z.object({
  /** Full printed name of the test (suites and title), as the running framework tells it; empty for a skill file. */
  testName: z.string(),
  /** toBe, toEqual, strictEqual, …; empty when unknown. */
  matcher: z.string(),
  negated: z.boolean(),
  actual: valueSchema,
  expected: valueSchema,
  message: z.string(),
  /** The raw stack of the failed assertion. */
  stack: z.string(),
});

/** One assertion that failed while a test ran, with the values that really met. */
export const capturedAssertionSchema = z.discriminatedUnion('kind', [
  assertionSchema.extend({ kind: z.literal('values') }),
  /** About an error: `actual` is the message that was thrown, `expected` the text or pattern for it. */
  assertionSchema.extend({
    kind: z.literal('error'),
    thrown: z.object({
      /** Name of the error's class; absent when nothing was thrown. */
      className: z.string().optional(),
      /** Whatever the assertion says besides the message holds. */
      fits: z.boolean(),
    }),
  }),
  /** About calls of a mock: the arguments of each. `actual` are those of the meant one, if that is certain. */
  assertionSchema.extend({ kind: z.literal('calls'), calls: z.array(valueSchema) }),
  /** A comparison in Python, whose values are told as source; `actual` and `expected` say nothing. */
  assertionSchema.extend({
    kind: z.literal('python'),
    python: z.object({
      /** `==`, `is` */
      operator: z.string(),
      left: pythonSideSchema,
      right: pythonSideSchema,
      /** Of a parametrised test: which of the values of each name, from 0. */
      rows: z.record(z.string(), z.number().int()),
      /** Of the loops around it in the test: by the line of each the row that it was in, from 0. */
      loops: z.record(z.string(), z.number().int()).optional(),
      /** What called what, the outermost first; also what a traceback hides. */
      frames: z.array(z.object({ file: z.string(), line: z.number().int(), name: z.string() })).optional(),
      /** Of an assertion about calls of a mock; of `m.assert_called_with(…)` what was called is left, what was asked for right. */
      calls: z
        .object({
          method: z.string().optional(),
          left: z.array(pythonCallSchema),
          right: z.array(pythonCallSchema),
        })
        .optional(),
    }),
  }),
  /** A comparison in Go, where numbers stand for runes too. */
  assertionSchema.extend({
    kind: z.literal('go'),
    go: z.object({
      /** Offset in the text of the test file. */
      at: z.number().int(),
      /** The row of the table that the expected value comes from, and its key or index where the test has it; else null. */
      row: valueSchema,
      key: valueSchema,
      /** Types of the actual and of the expected value. */
      types: z.tuple([z.string(), z.string()]),
    }),
  }),
]);
export type CapturedAssertion = z.infer<typeof capturedAssertionSchema>;
export type AssertionOf<Kind extends CapturedAssertion['kind']> = Extract<CapturedAssertion, { kind: Kind }>;
/** What an assertion about an error met; undefined for every other one. */
export const thrownIn = (captured: CapturedAssertion): AssertionOf<'error'>['thrown'] | undefined =>
  captured.kind === 'error' ? captured.thrown : undefined;
export type PythonComparison = AssertionOf<'python'>['python'];
export type GoComparison = AssertionOf<'go'>['go'];
