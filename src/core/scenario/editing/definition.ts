// Where a component or a variable that stands under the cursor is declared.
import type { Range } from '../../model/position.ts';
import { readDocument } from '../readDocument.ts';
import type { EditedFile } from './completion.ts';
import { dataOf, parseTolerantly, scalarAt } from './documentTree.ts';
import { schemaOfKind } from './fileKind.ts';
import { placeholderUnder } from './hover.ts';
import { variablesOf } from './variables.ts';

interface Definition {
  /** Absolute; absent for the file itself. */
  readonly file?: string;
  readonly range: Range;
}

/** Every place where the name is declared, those of the file itself first. */
export function definitionsAt(edited: EditedFile, offset: number): readonly Definition[] {
  const document = parseTolerantly(edited.text);
  const found = scalarAt(document, offset);
  if (!found) return [];
  const { components, variables } = edited.surroundings;
  const { path, at, scalar } = found;
  if (at === 'value' && path.at(-1) === 'component' && path.at(-2) === 'config')
    return components.filter(({ name }) => name === scalar.value).map(({ file, range }) => ({ file, range }));
  const data = dataOf(document);
  const isResponse = at === 'value' && path.at(-1) === 'response' && path.at(-2) === 'config';
  const name = isResponse ? String(scalar.value) : placeholderUnder(edited.text, found, offset)?.root;
  if (name === undefined) return [];
  const { rangeOf } = readDocument(schemaOfKind[edited.kind], edited.text, '');
  return [
    ...variablesOf(edited.kind, data, edited.surroundings)
      .filter((one) => one.name === name && one.path !== undefined)
      .map((one) => ({ range: rangeOf(one.path ?? []) })),
    ...variables.filter((one) => one.name === name).map(({ file, range }) => ({ file, range })),
  ];
}
