// Follows a path of data through a zod schema: which fields an object may have there, which values, and what each of them means.
import { z } from 'zod';

type Schema = z.core.$ZodType;
const {
  $ZodArray,
  $ZodBoolean,
  $ZodDefault,
  $ZodDiscriminatedUnion,
  $ZodEnum,
  $ZodExactOptional,
  $ZodLiteral,
  $ZodObject,
  $ZodOptional,
  $ZodPrefault,
  $ZodRecord,
  $ZodUnion,
} = z.core;

export interface FieldInfo {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** What a field has that is left out, where that is one value. */
  readonly defaultText?: string;
  readonly schema: Schema;
}

/** A text that may stand somewhere, and what it means. */
interface Choice {
  readonly value: string;
  readonly description: string;
}

/** The schema of the value at the path; `data` decides between the shapes of a union. Undefined where the path leads out of it. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[], data: unknown): Schema | undefined {
  const found = schemaUnchosen(schema, path, data);
  return found && chosen(found, path.reduce(memberOf, data));
}

/** Like `schemaAt`, but a union at the end of the path stays one. */
function schemaUnchosen(schema: Schema, path: readonly PropertyKey[], data: unknown): Schema | undefined {
  let current: Schema | undefined = bare(schema);
  let value: unknown = data;
  for (const key of path) {
    const holder: Schema | undefined = current && chosen(current, value);
    const found: Schema | undefined = holder && inner(holder, key);
    current = found && bare(found);
    value = memberOf(value, key);
  }
  return current;
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  return isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
}

/** Fields of the object that stands there, with those of every shape where the data does not decide yet. */
export function fieldsOf(schema: Schema | undefined): readonly FieldInfo[] {
  if (schema instanceof $ZodDiscriminatedUnion || schema instanceof $ZodUnion) {
    const seen = new Map<string, FieldInfo>();
    for (const option of defOf(schema).options)
      for (const field of fieldsOf(bare(option))) if (!seen.has(field.name)) seen.set(field.name, field);
    return [...seen.values()];
  }
  if (!(schema instanceof $ZodObject)) return [];
  return Object.entries(defOf(schema).shape).map(([name, field]) => ({
    name,
    description: descriptionOf(field),
    required: unwrapped(field) === undefined,
    ...defaultOf(field),
    schema: bare(field),
  }));
}

function defaultOf(field: Schema): Pick<FieldInfo, 'defaultText'> {
  const value: unknown = field instanceof $ZodDefault ? defOf(field).defaultValue : undefined;
  const isOne = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
  return isOne && value !== '' ? { defaultText: String(value) } : {};
}

/** The texts that may stand there: of an enumeration, or of the field that tells the shapes of a union apart. */
export function valuesOf(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return [];
  const plain = bare(schema);
  if (plain instanceof $ZodEnum) return Object.values(defOf(plain).entries).map(String);
  if (plain instanceof $ZodLiteral) return defOf(plain).values.map(String);
  if (plain instanceof $ZodBoolean) return ['true', 'false'];
  if (plain instanceof $ZodUnion) return defOf(plain).options.flatMap((option) => valuesOf(option));
  return [];
}

/** Values of the field by which the shapes of a union are told apart, as in `type` of a step. */
export function shapesOf(schema: Schema | undefined, discriminator: string): readonly string[] {
  if (!(schema instanceof $ZodDiscriminatedUnion)) return [];
  return defOf(schema).options.flatMap((option) => {
    const plain = bare(option);
    return plain instanceof $ZodObject ? valuesOf(defOf(plain).shape[discriminator]) : [];
  });
}

/** Texts for the value at the path, whatever stands there now. */
export function choicesAt(schema: Schema, path: readonly PropertyKey[], data: unknown): readonly Choice[] {
  const key = path.at(-1);
  const holder = schemaUnchosen(schema, path.slice(0, -1), data);
  if (holder instanceof $ZodDiscriminatedUnion && defOf(holder).discriminator === key)
    return shapesIn(holder).flatMap((shape) =>
      valuesOf(shape.schema).map((value) => ({ value, description: shape.description })),
    );
  return valuesOf(schemaAt(schema, path, data)).map((value) => ({ value, description: '' }));
}

/** The shapes of a union that is told apart by a field: that field, as each of them has it, and all of its fields. */
export function shapesIn(
  schema: Schema | undefined,
): readonly (FieldInfo & { readonly fields: readonly FieldInfo[] })[] {
  if (!(schema instanceof $ZodDiscriminatedUnion)) return [];
  const { discriminator, options } = defOf(schema);
  return options.flatMap((option) => {
    const fields = fieldsOf(bare(option));
    return fields.filter(({ name }) => name === discriminator).map((field) => ({ ...field, fields }));
  });
}

/** What each item of a list has to be; undefined where the schema is of no list. */
export function itemOf(schema: Schema | undefined): Schema | undefined {
  return schema instanceof $ZodArray ? bare(defOf(schema).element) : undefined;
}

/** What stands there: `object`, `list` and `record` hold more, all else is one value. */
export function kindOf(schema: Schema | undefined): 'object' | 'list' | 'record' | 'value' {
  if (schema instanceof $ZodObject || schema instanceof $ZodDiscriminatedUnion) return 'object';
  if (schema instanceof $ZodArray) return 'list';
  return schema instanceof $ZodRecord ? 'record' : 'value';
}

/** A schema keeps its parts under this name in every edition of zod 4. */
function defOf<One extends Schema>({ _zod: { def } }: One): One['_zod']['def'] {
  return def;
}

/** The schema below what makes it optional or gives it a default. */
function bare(schema: Schema): Schema {
  let current = schema;
  for (let below = unwrapped(current); below; below = unwrapped(current)) current = below;
  return current;
}

function unwrapped(schema: Schema): Schema | undefined {
  return schema instanceof $ZodDefault ||
    schema instanceof $ZodPrefault ||
    schema instanceof $ZodOptional ||
    schema instanceof $ZodExactOptional
    ? defOf(schema).innerType
    : undefined;
}

function descriptionOf(schema: Schema): string {
  let current = schema;
  for (;;) {
    const description = z.globalRegistry.get(current)?.description;
    if (description !== undefined) return description;
    const below = unwrapped(current);
    if (below === undefined) return '';
    current = below;
  }
}

function inner(schema: Schema, key: PropertyKey): Schema | undefined {
  if (schema instanceof $ZodArray) return defOf(schema).element;
  if (schema instanceof $ZodRecord) return defOf(schema).valueType;
  if (!(schema instanceof $ZodObject) || typeof key !== 'string') return undefined;
  return Object.hasOwn(defOf(schema).shape, key) ? defOf(schema).shape[key] : undefined;
}

/** Of a union the shape that the data has. */
function chosen(schema: Schema, value: unknown): Schema {
  const plain = bare(schema);
  if (plain instanceof $ZodDiscriminatedUnion) {
    const { discriminator } = defOf(plain);
    const asked = isRecord(value) ? value[discriminator] : undefined;
    const found = defOf(plain).options.find((option) => {
      const shape = bare(option);
      if (!(shape instanceof $ZodObject)) return false;
      return valuesOf(defOf(shape).shape[discriminator]).includes(String(asked));
    });
    return found === undefined ? plain : bare(found);
  }
  if (plain instanceof $ZodUnion) {
    const found = defOf(plain).options.find((option) =>
      Array.isArray(value) ? bare(option) instanceof $ZodArray : bare(option) instanceof $ZodObject,
    );
    return found === undefined ? plain : bare(found);
  }
  return plain;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
