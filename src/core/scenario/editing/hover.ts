// What a field of a scenario file means, and what stands behind a name: as Markdown.
import { choicesAt, fieldsOf, schemaAt, valuesOf, type FieldInfo } from '../schemaAt.ts';
import type { EditedFile } from './completion.ts';
import { dataOf, parseTolerantly, scalarAt, type PlacedScalar } from './documentTree.ts';
import { schemaOfKind } from './fileKind.ts';
import { placeholdersIn, variablesOf, type Placeholder } from './variables.ts';

interface Hover {
  readonly markdown: string;
  /** Offsets of what it is about. */
  readonly start: number;
  readonly end: number;
}

/** Undefined where there is nothing to say. Values of secrets are never shown. */
export function hoverAt(file: EditedFile, offset: number): Hover | undefined {
  const document = parseTolerantly(file.text);
  const found = scalarAt(document, offset);
  if (!found) return undefined;
  const data = dataOf(document);
  const placeholder = placeholderUnder(file.text, found, offset);
  if (placeholder) {
    const known = variablesOf(file.kind, data, file.surroundings).filter(
      ({ name }) => name === placeholder.root,
    );
    return {
      markdown:
        known.length === 0
          ? `**{{${escaped(placeholder.name)}}}**: nothing here gives it a value.`
          : known
              .map(
                ({ origin, shown }) =>
                  `**{{${escaped(placeholder.name)}}}**: ${escaped(origin)}${shown === undefined ? '' : `\n\n\`\`\`\n${shown.replaceAll('```', "'''")}\n\`\`\``}`,
              )
              .join('\n\n'),
      start: placeholder.start,
      end: placeholder.end,
    };
  }
  const markdown = found.at === 'key' ? ofField(file, found, data) : ofValue(file, found, data);
  return markdown === undefined ? undefined : { markdown, start: found.start, end: found.end };
}

/** The name between braces at the offset, with offsets of the file. */
export function placeholderUnder(
  text: string,
  { at, start, end }: PlacedScalar,
  offset: number,
): Placeholder | undefined {
  if (at === 'key') return undefined;
  return placeholdersIn(text.slice(start, end))
    .map((one) => ({ ...one, start: one.start + start, end: one.end + start }))
    .find((one) => one.start <= offset && offset <= one.end);
}

function ofField(file: EditedFile, { path }: PlacedScalar, data: unknown): string | undefined {
  const name = path.at(-1);
  const holder = schemaAt(schemaOfKind[file.kind], path.slice(0, -1), data);
  const field = fieldsOf(holder).find((one) => one.name === name);
  if (field) return fieldMarkdown(field);
  return undefined;
}

function fieldMarkdown({ name, description, required, defaultText, schema }: FieldInfo): string {
  const values = valuesOf(schema);
  const lines = [
    `**${escaped(name)}**${required ? ' (needed)' : ''}${description === '' ? '' : `: ${escaped(description)}`}`,
    ...(values.length > 1 ? [`One of ${values.map(code).join(', ')}.`] : []),
    ...(defaultText === undefined ? [] : [`${code(defaultText)} without it.`]),
  ];
  return lines.join('\n\n');
}

function ofValue(file: EditedFile, { path, scalar }: PlacedScalar, data: unknown): string | undefined {
  const value = String(scalar.value);
  if (path.at(-1) === 'component' && path.at(-2) === 'config') {
    const component = file.surroundings.components.find(({ name }) => name === value);
    if (!component) return undefined;
    const parameters = component.parameters.map(
      ({ name, isRequired }) => `- ${code(name)}${isRequired ? ' (needed)' : ''}`,
    );
    return [
      `**${escaped(value)}**: ${escaped(component.description || 'a component')}`,
      parameters.join('\n'),
    ]
      .filter((one) => one !== '')
      .join('\n\n');
  }
  const choice = choicesAt(schemaOfKind[file.kind], path, data).find((one) => one.value === value);
  return choice === undefined || choice.description === ''
    ? undefined
    : `**${escaped(value)}**: ${escaped(choice.description)}`;
}

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;
/** Descriptions of people may hold anything. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>#|!]/g, '\\$&');
