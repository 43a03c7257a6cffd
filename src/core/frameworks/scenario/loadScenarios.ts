// Reads the scenarios of a run with their configuration and components; what is broken is told at its line, and the others run.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../../base/humanError.ts';
import {
  chooseEnvironment,
  loadComponents,
  loadProject,
  type LoadedScenario,
} from '../../scenario/project/loadProject.ts';
import type { ScenarioProblem } from '../../scenario/problem.ts';
import { readScenario } from '../../scenario/readScenario.ts';
import type { WorkerTask } from './workerTask.ts';

export interface BrokenScenario {
  readonly file: string;
  readonly problem: {
    readonly message: string;
    /** Absolute, with the place of the first problem. */
    readonly file: string;
    readonly line: number;
    readonly column: number;
  };
}

export function loadScenarios(
  files: readonly string[],
  { root, environment }: Pick<WorkerTask, 'root' | 'environment'>,
): readonly (LoadedScenario | BrokenScenario)[] {
  const idsOf = new Map<string, string>();
  return files.map((file) => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      return { file, problem: { message: errorMessage(error), file, line: 1, column: 1 } };
    }
    const read = readScenario(text, file);
    if (read.value === undefined) return broken(file, read.problems);
    const folder = path.dirname(file);
    const project = loadProject(folder, root);
    const { components, problems } = loadComponents(folder, project);
    if (project.problems.length + problems.length > 0)
      return broken(file, [...project.problems, ...problems]);
    const chosen = chooseEnvironment(project, environment ?? read.value.environment);
    if ('problem' in chosen)
      return {
        file,
        problem: { message: chosen.problem, file, ...read.rangeOf(['environment'], 'key').start },
      };
    const other = idsOf.get(`${folder} ${read.value.id}`);
    idsOf.set(`${folder} ${read.value.id}`, file);
    if (other !== undefined) {
      const message = `The scenario ${path.basename(other)} beside it has the id "${read.value.id}" too: they would share fingerprints.`;
      return { file, problem: { message, file, ...read.rangeOf(['id']).start } };
    }
    return { file, scenario: read.value, rangeOf: read.rangeOf, project, environment: chosen, components };
  });
}

function broken(file: string, problems: readonly ScenarioProblem[]): BrokenScenario {
  const [first] = problems;
  const lines = problems.map(
    (one) => `${path.basename(one.file)}:${one.range.start.line} ${one.message} ${one.remedy}`,
  );
  // The same mistake twice in a line.
  const message = [...new Set(lines)].join('\n');
  const { line = 1, column = 1 } = first?.range.start ?? {};
  return { file, problem: { message, file: first?.file ?? file, line, column } };
}
