// What may stand where somebody types in a scenario file: fields, values, whole steps, variables and components.
import { choicesAt, fieldsOf, itemOf, kindOf, schemaAt, type FieldInfo } from '../schemaAt.ts';
import { cursorAt, placeholderAt, type Cursor } from './cursor.ts';
import { dataOf, parseTolerantly, textAt, valueAtPath } from './documentTree.ts';
import type { ScenarioFileKind } from '../../model/scenarioFile.ts';
import { schemaOfKind } from './fileKind.ts';
import { skeletonsOf } from './skeleton.ts';
import type { Surroundings } from './surroundings.ts';
import { variablesOf } from './variables.ts';

export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'step' | 'variable' | 'component';
  readonly detail: string;
  readonly documentation: string;
  /** With places to fill in like `${1:name}` where `isSnippet`. */
  readonly insert: string;
  readonly isSnippet: boolean;
  /** Offsets of the text that it replaces. */
  readonly start: number;
  readonly end: number;
  /** Lower ones come first. */
  readonly rank: number;
}

export interface EditedFile {
  readonly kind: ScenarioFileKind;
  readonly text: string;
  /** JSON needs quotes around every name and text. */
  readonly isJson: boolean;
  readonly surroundings: Surroundings;
}

type Proposal = Pick<Completion, 'label' | 'kind'> & Partial<Completion>;

/** In the order in which they should be offered; empty where nothing is known. Throws nothing. */
export function completionsAt(file: EditedFile, offset: number): readonly Completion[] {
  const variables = variableCompletions(file, offset);
  if (variables) return variables;
  const cursor = cursorAt(file.text, offset);
  if (!cursor) return [];
  const { start, end } = cursor;
  const proposals =
    cursor.at === 'value'
      ? valuesAt(file, cursor)
      : [
          ...fieldsAt(file, cursor),
          ...(cursor.isAlone ? [...stepsAt(file, cursor), ...valuesAt(file, cursor)] : []),
        ];
  return proposals.map((one) => ({
    detail: '',
    documentation: '',
    insert: one.label,
    isSnippet: false,
    rank: 1,
    ...one,
    start,
    end,
  }));
}

/** Undefined where the cursor is between no braces. */
function variableCompletions(file: EditedFile, offset: number): readonly Completion[] | undefined {
  const place = placeholderAt(file.text, offset);
  if (!place) return undefined;
  const typed = file.text.slice(place.start, place.end);
  const data = dataOf(parseTolerantly(file.text));
  const known = variablesOf(file.kind, data, file.surroundings);
  const seen = new Set<string>();
  const proposals = known.flatMap(({ name, origin, shown, members }) => {
    if (seen.has(name)) return [];
    seen.add(name);
    const inner = typed.startsWith(`${name}.`) ? members.map((member) => `${name}.${member}`) : [];
    return [name, ...inner].map((label) => ({ label, origin, shown: label === name ? shown : undefined }));
  });
  return proposals.map(({ label, origin, shown }) => ({
    label,
    kind: 'variable',
    detail: shown === undefined ? '' : `= ${shown}`,
    documentation: origin,
    insert: place.isClosed ? label : `${label}}}`,
    isSnippet: false,
    start: place.start,
    end: place.end,
    rank: 0,
  }));
}

function fieldsAt(file: EditedFile, cursor: Cursor): readonly Proposal[] {
  const parameters = parametersAt(file, cursor);
  if (parameters) return parameters;
  const fields = fieldsOf(schemaAt(schemaOfKind[file.kind], cursor.path, cursor.data));
  return fields
    .filter(({ name }) => !cursor.present.includes(name))
    .map((field) => ({
      label: field.name,
      kind: 'field',
      detail: detailOf(field),
      documentation: field.description,
      insert: fieldText(field.name, kindOf(field.schema), file, cursor),
      rank: field.required ? 0 : 1,
    }));
}

const detailOf = ({ required, defaultText }: FieldInfo): string =>
  required ? 'needed' : defaultText === undefined ? '' : `${defaultText} without it`;

/** Of the component that the step names. Undefined elsewhere. */
function parametersAt(file: EditedFile, cursor: Cursor): readonly Proposal[] | undefined {
  const { path } = cursor;
  if (path.at(-1) !== 'parameters' || path.at(-2) !== 'config') return undefined;
  const name = textAt(cursor.data, [...path.slice(0, -1), 'component']);
  const component = file.surroundings.components.find((one) => one.name === name);
  return component?.parameters
    .filter((one) => !cursor.present.includes(one.name))
    .map((one) => ({
      label: one.name,
      kind: 'field',
      detail: one.isRequired ? 'needed' : '',
      insert: fieldText(one.name, 'value', file, cursor),
      rank: one.isRequired ? 0 : 1,
    }));
}

function fieldText(
  name: string,
  kind: ReturnType<typeof kindOf>,
  file: EditedFile,
  { isQuoted, hasColon, isFlow, indentation }: Cursor,
): string {
  if (isQuoted) return name;
  const written = file.isJson ? JSON.stringify(name) : name;
  if (hasColon) return written;
  if (isFlow || file.isJson || kind === 'value') return `${written}: `;
  return `${written}:\n${indentation}  ${kind === 'list' ? '- ' : ''}`;
}

/** Whole steps and strategies for an item that is still empty. */
function stepsAt(
  file: EditedFile,
  { path, data, indentation, isFlow, isQuoted }: Cursor,
): readonly Proposal[] {
  if (file.isJson || isFlow || isQuoted) return [];
  const list = schemaAt(schemaOfKind[file.kind], path.slice(0, -1), data);
  return skeletonsOf(itemOf(list), indentation).map(({ label, description, snippet }) => ({
    label,
    kind: 'step',
    detail: 'with what it needs',
    documentation: description,
    insert: snippet,
    isSnippet: true,
    rank: 0,
  }));
}

function valuesAt(file: EditedFile, cursor: Cursor): readonly Proposal[] {
  const { path, data } = cursor;
  const fromSchema = choicesAt(schemaOfKind[file.kind], path, data).map(
    ({ value, description }): Proposal => ({
      label: value,
      kind: 'value',
      documentation: description,
      insert: valueText(value, file, cursor),
    }),
  );
  return [
    ...fromSchema,
    ...namesAt(file, cursor).map((one) => ({ ...one, insert: valueText(one.label, file, cursor) })),
  ];
}

const isPlain = (text: string): boolean =>
  /^[A-Za-z_][\w ./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);

function valueText(value: string, { isJson }: EditedFile, { isQuoted }: Cursor): string {
  if (isQuoted) return value;
  if (value === 'true' || value === 'false') return value;
  return isJson || !isPlain(value) ? JSON.stringify(value) : value;
}

/** Names that are declared elsewhere: of components, environments and responses. */
function namesAt(file: EditedFile, { path, data }: Cursor): readonly Proposal[] {
  const field = path.at(-1);
  const isOfStep = path.at(-2) === 'config';
  if (isOfStep && field === 'component')
    return file.surroundings.components.map(({ name, description, parameters }) => ({
      label: name,
      kind: 'component',
      detail: parameters.map((one) => one.name).join(', '),
      documentation: description,
    }));
  if (isOfStep && field === 'response')
    return variablesOf(file.kind, data, file.surroundings)
      .filter(({ path: declared }) => declared?.at(-1) === 'saveResponseAs')
      .map(({ name, origin }) => ({ label: name, kind: 'value', documentation: origin }));
  if (file.kind === 'scenario' && path.length === 1 && field === 'environment')
    return file.surroundings.environments.map((label) => ({ label, kind: 'value' }));
  if (file.kind === 'config' && path.length === 1 && field === 'defaultEnvironment') {
    const environments = valueAtPath(data, ['environments']);
    return typeof environments === 'object' && environments !== null
      ? Object.keys(environments).map((label) => ({ label, kind: 'value' }))
      : [];
  }
  return [];
}
