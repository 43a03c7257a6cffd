// Says what becomes of scenarios in the words of a reporter (model/reporterMessage.ts): each is one test, its steps are its output.
import { strategyText } from '../../scenario/locatorSchema.ts';
import { scenarioTitle } from '../../scenario/scenarioTitle.ts';
import type { ScenarioResult, StepResult, UsedStrategy } from '../../scenario/engine/result.ts';
import type { LoadedScenario } from '../../scenario/project/loadProject.ts';
import type { BrokenScenario } from './loadScenarios.ts';

export type ScenarioMessages = ReturnType<typeof scenarioMessages>;

export function scenarioMessages(send: (message: object) => void) {
  return {
    broken(file: string, problem: BrokenScenario['problem']): void {
      const stack = `Error: ${problem.message}\n    at ${problem.file}:${problem.line}:${problem.column}`;
      send({ type: 'fileFailed', file, failure: { message: problem.message, stack } });
      send({ type: 'fileEnded', file, durationMs: 0 });
    },
    collected({ file, scenario, rangeOf }: LoadedScenario): void {
      const { line, column } = rangeOf(['name'], 'key').start;
      send({
        type: 'fileCollected',
        file,
        tests: [{ key: file, suites: [], title: scenarioTitle(scenario), line, column }],
      });
    },
    started(file: string): void {
      send({ type: 'testStarted', key: file });
    },
    step(file: string, step: StepResult): void {
      send({ type: 'output', key: file, stream: 'stdout', text: `${stepLine(step)}\n` });
    },
    /** `before`: the failure of a try before this one. */
    ended({ file }: LoadedScenario, result: ScenarioResult, before: ScenarioResult | undefined): void {
      const failures = failuresOf(result);
      const outcome = { passed: 'passed', healed: 'passed', failed: 'failed', skipped: 'skipped' }[
        result.state
      ];
      const [flaky] = before && outcome === 'passed' ? failuresOf(before) : [];
      for (const text of result.notes) send({ type: 'note', text: `${result.name}: ${text}` });
      const { durationMs } = result;
      const healed = result.steps.flatMap(healedOf);
      for (const step of result.steps)
        if (step.healed && step.state === 'healed')
          send({ type: 'note', text: `${result.name}: ${stepName(step)} ${healedText(step.healed)}` });
      send({
        type: 'testEnded',
        key: file,
        outcome,
        durationMs,
        ...(failures.length > 0 && { failures }),
        ...(flaky && { flaky }),
        ...(healed.length > 0 && { healed }),
      });
      send({ type: 'fileEnded', file, durationMs });
    },
    skipped({ file, scenario }: LoadedScenario): void {
      if (typeof scenario.skip === 'string')
        send({ type: 'note', text: `${scenario.name} is skipped: ${scenario.skip}` });
      send({ type: 'testEnded', key: file, outcome: 'skipped', durationMs: 0 });
      send({ type: 'fileEnded', file, durationMs: 0 });
    },
    /** It did not get as far as to run: no browser, or one that is gone. */
    errored({ file }: LoadedScenario, message: string): void {
      send({ type: 'testEnded', key: file, outcome: 'errored', durationMs: 0, failures: [{ message }] });
      send({ type: 'fileEnded', file, durationMs: 0 });
    },
  };
}

const marks = { passed: '✓', failed: '✗', skipped: '-', healed: '~' } as const;

function stepLine(step: StepResult): string {
  const tail = step.healed && step.state === 'healed' ? `, ${healedText(step.healed)}` : '';
  return `${marks[step.state]} ${stepName(step)} (${Math.round(step.durationMs)} ms)${tail}`;
}

/** As the name of a function in a stack. */
const plainName = ({ id: step }: StepResult): string => step.replace(/\s/g, '-');
const stepName = ({ id, description }: StepResult): string => (description === '' ? id : `"${description}"`);

/** `healed: testId → role, 0.87`. */
function healedText({
  originalStrategy,
  usedStrategy,
  confidence,
}: NonNullable<StepResult['healed']>): string {
  return `healed: ${originalStrategy.type} → ${usedStrategy.type}, ${confidence.toFixed(2)}`;
}

function healedOf({ id, line, state, healed }: StepResult): readonly object[] {
  if (!healed || state !== 'healed') return [];
  const { displayName, originalStrategy, usedStrategy, confidence, score } = healed;
  return [
    {
      step: id,
      line,
      displayName,
      original: textOf(originalStrategy),
      used: textOf(usedStrategy),
      confidence,
      ...(score !== undefined && { score }),
    },
  ];
}

const textOf = (strategy: UsedStrategy): string =>
  strategy.type === 'jsonPath' ? strategy.path : strategyText(strategy);

function failuresOf({ file, steps, trace }: ScenarioResult): readonly object[] {
  return steps
    .filter(({ state }) => state === 'failed')
    .map((step) => {
      const { line, message = '', expected, actual, screenshot, snapshot } = step;
      const evidence = [
        ...(screenshot === undefined ? [] : [`Screenshot: ${screenshot}`]),
        ...(snapshot === undefined ? [] : [`Page: ${snapshot}`]),
        ...(trace === undefined ? [] : [`Trace: ${trace} (npx playwright show-trace)`]),
      ];
      const text = [`${stepName(step)}: ${message}`, ...evidence].join('\n');
      return {
        name: step.type === 'assert' || step.type === 'api-assert' ? 'AssertionError' : 'Error',
        message: text,
        stack: `${text}\n    at ${plainName(step)} (${file}:${line}:1)`,
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
      };
    });
}
