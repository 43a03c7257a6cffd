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

interface FieldInfo {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The schema of the value at the path; `data` decides between the shapes of a union. Undefined where the path leads out of it. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[], data: unknown): Schema | undefined {
  let current: Schema | undefined = chosen(schema, data);
  let value: unknown = data;
  for (const key of path) {
    value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
    current = current && inner(current, key);
    current = current && chosen(current, value);
  }
  return current;
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
    schema: bare(field),
  }));
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
