// Whole steps and strategies with everything they need, as snippets with places to fill in.
import { fieldsOf, itemOf, kindOf, shapesIn, valuesOf, type FieldInfo } from '../schemaAt.ts';

type Schema = FieldInfo['schema'];

interface Skeleton {
  /** `click`, `assert visible`. */
  readonly label: string;
  readonly description: string;
  /** The first line without indentation, the others indented for the place. */
  readonly snippet: string;
}

/** One for each shape of the union, and for each shape of its configuration; none for other schemas. */
export function skeletonsOf(schema: Schema | undefined, indentation: string): readonly Skeleton[] {
  return shapesIn(schema).flatMap(({ name, schema: kind, description, fields }) => {
    const [value = ''] = valuesOf(kind);
    const needed = fields.filter((field) => field.required && field.name !== name);
    const config = needed.find((field) => shapesIn(field.schema).length > 0);
    const shapes = config === undefined ? [undefined] : shapesIn(config.schema);
    return shapes.map((shape) => {
      const [inner = ''] = valuesOf(shape?.schema);
      const count = counter();
      const lines = [`${name}: ${value}`];
      for (const field of needed)
        lines.push(
          ...(field === config && shape
            ? [`${field.name}:`, ...indented(objectLines(shape.fields, count, shape.name, inner))]
            : fieldLines(field, count)),
        );
      return {
        label: [value, inner].filter((one) => one !== '').join(' '),
        description: shape?.description ?? description,
        snippet: lines.join(`\n${indentation}`),
      };
    });
  });
}

type Counter = () => number;

function counter(): Counter {
  let last = 0;
  return () => ++last;
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function objectLines(
  fields: readonly FieldInfo[],
  count: Counter,
  discriminator = '',
  value = '',
): readonly string[] {
  return fields
    .filter((field) => field.required)
    .flatMap((field) =>
      field.name === discriminator ? [`${field.name}: ${value}`] : fieldLines(field, count),
    );
}

function fieldLines({ name, schema }: FieldInfo, count: Counter): readonly string[] {
  const kind = kindOf(schema);
  if (kind === 'value') return [`${name}: ${valueText(schema, count)}`];
  if (kind === 'record') return [`${name}: {}`];
  const [shape] = shapesIn(schema);
  const inner = kind === 'object' ? objectLines(shape?.fields ?? fieldsOf(schema), count) : [];
  const item = itemOf(schema);
  if (item === undefined && inner.length === 0) return [`${name}: {}`];
  return [`${name}:`, ...indented(item === undefined ? inner : [`- ${itemText(item, count)}`])];
}

/** On one line: what items of lists need are single values. */
function itemText(item: Schema, count: Counter): string {
  const [shape] = shapesIn(item);
  const fields = shape?.fields ?? fieldsOf(item);
  if (fields.length === 0) return valueText(item, count);
  return `{ ${objectLines(fields, count).join(', ')} }`;
}

function valueText(schema: Schema, count: Counter): string {
  const values = valuesOf(schema);
  if (values.length === 1) return values[0] ?? '';
  return values.length > 1 ? `\${${count()}|${values.join(',')}|}` : `$${count()}`;
}
