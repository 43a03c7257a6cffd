// Everything that is wrong with a scenario file as it is being edited: the loader's problems, and names that nothing declares.
import { LineCounter, type Scalar } from 'yaml';
import type { Position } from '../../model/position.ts';
import { nearestName } from '../nearestName.ts';
import type { ScenarioProblem } from '../problem.ts';
import {
  dataOf,
  listAt,
  memberOf,
  offsetsAt,
  scalarsOf,
  textAt,
  valueAtPath,
  type DataPath,
} from './documentTree.ts';
import type { ScenarioFileKind } from '../../model/scenarioFile.ts';
import { readByKind } from './fileKind.ts';
import type { Surroundings } from './surroundings.ts';
import { partsOf, placeholdersIn, variablesOf } from './variables.ts';

interface FoundProblem extends ScenarioProblem {
  /** A warning may be no fault: the run can give the value. */
  readonly severity: 'error' | 'warning';
}

/** In the order of the loader; a broken text gives its own problems alone. Throws nothing. */
export function checkScenarioFile(
  kind: ScenarioFileKind,
  text: string,
  file: string,
  surroundings: Surroundings,
): readonly FoundProblem[] {
  const read = readByKind(kind, text, file);
  const { document } = read;
  const problems = read.problems.map((problem): FoundProblem => ({
    ...problem,
    severity: 'error',
    ...bareBraces(
      problem,
      text,
      read.document.contents === null ? undefined : offsetsAt(document, problem.path),
    ),
  }));
  if (document.errors.length > 0) return problems;
  const data = dataOf(document);
  const places: Places = { kind, data, file, surroundings, rangeOf: read.rangeOf };
  return [
    ...problems,
    ...partsOf(kind).flatMap((part) =>
      listAt(data, [part]).flatMap((_, at) => componentProblems(places, [part, at, 'config'])),
    ),
    ...(kind === 'scenario' && memberOf(data, 'lenient') !== true
      ? variableProblems(places, text, scalarsOf(document))
      : []),
  ];
}

interface Places {
  readonly kind: ScenarioFileKind;
  readonly data: unknown;
  readonly file: string;
  readonly surroundings: Surroundings;
  readonly rangeOf: ReturnType<typeof readByKind>['rangeOf'];
}

/** `value: {{user}}` is an object in YAML: nobody means that. */
function bareBraces(
  { path }: ScenarioProblem,
  text: string,
  offsets: readonly [number, number] | undefined,
): Partial<ScenarioProblem> {
  const written = offsets && text.slice(...offsets);
  if (written === undefined || !/^\{\{[^{}]*\}\}/.test(written)) return {};
  return {
    message: `${String(path.at(-1))}: a value that begins with {{ needs quotes.`,
    remedy: `Write "${/^\{\{[^{}]*\}\}/.exec(written)?.[0] ?? written}".`,
  };
}

function componentProblems(
  { data, file, surroundings, rangeOf }: Places,
  config: DataPath,
): readonly FoundProblem[] {
  if (textAt(data, [...config.slice(0, -1), 'type']) !== 'component') return [];
  const name = textAt(data, [...config, 'component']);
  if (name === undefined || name.includes('{{')) return [];
  const found = surroundings.components.find((one) => one.name === name);
  const problem = (
    message: string,
    path: DataPath,
    known: readonly string[],
    meant: string,
    of: 'key' | 'value' = 'value',
  ): FoundProblem => {
    const near = nearestName(meant, known);
    const listed = known.length === 0 ? 'There is none here.' : `Known here: ${known.join(', ')}.`;
    return {
      message,
      file,
      range: rangeOf(path, of),
      path,
      severity: 'error',
      ...(near === undefined || near === meant
        ? { remedy: listed }
        : { remedy: `Did you mean "${near}"?`, suggestion: near }),
    };
  };
  if (!found) {
    const known = surroundings.components.map((one) => one.name);
    return [problem(`There is no component "${name}".`, [...config, 'component'], known, name)];
  }
  const given = valueAtPath(data, [...config, 'parameters']);
  const names = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  const known = found.parameters.map((one) => one.name);
  return [
    ...names
      .filter((one) => !known.includes(one))
      .map((one) =>
        problem(
          `The component "${name}" has no parameter "${one}".`,
          [...config, 'parameters', one],
          known,
          one,
          'key',
        ),
      ),
    ...found.parameters
      .filter((one) => one.isRequired && !names.includes(one.name))
      .map((one) => ({
        ...problem(
          `The component "${name}" needs the parameter "${one.name}".`,
          [...config, 'component'],
          [],
          '',
        ),
        remedy: `Add it under parameters.`,
      })),
  ];
}

function variableProblems(
  { kind, data, file, surroundings }: Places,
  text: string,
  scalars: ReturnType<typeof scalarsOf>,
): readonly FoundProblem[] {
  const known = [...new Set(variablesOf(kind, data, surroundings).map(({ name }) => name))];
  const lines = new LineCounter();
  lines.lineStarts.push(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const parts: readonly (string | number | undefined)[] = partsOf(kind);
  return scalars
    .filter(({ path, at, scalar }) => at === 'value' && parts.includes(path[0]) && isText(scalar))
    .flatMap(({ path, start, end }) =>
      placeholdersIn(text.slice(start, end))
        .filter(({ root }) => !known.includes(root))
        .map(({ root, start: inner }): FoundProblem => {
          const near = nearestName(root, known);
          return {
            message: `Nothing here gives the variable "${root}" a value.`,
            file,
            range: {
              start: positionAt(start + inner),
              end: positionAt(start + inner + root.length),
            },
            path,
            severity: 'warning',
            ...(near === undefined
              ? { remedy: 'Declare it under variables, or give it in the run.' }
              : { remedy: `Did you mean "${near}"?`, suggestion: near }),
          };
        }),
    );
}

const isText = ({ value }: Scalar): boolean => typeof value === 'string';
