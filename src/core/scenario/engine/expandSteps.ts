// Puts the steps of components in the place of the steps that use them, each with the parameters it sees.
import { nearestName } from '../nearestName.ts';
import type { LoadedComponent } from '../project/loadProject.ts';
import type { ConfigOf, Step } from '../stepSchema.ts';
import type { PlainStep } from './runStep.ts';
import { substitute, type Values } from './variables.ts';

interface PlannedStep {
  readonly step: PlainStep;
  readonly parameters: Values;
  /** Where it is written: absolute file, and its id there. */
  readonly file: string;
  readonly writtenId: string;
}

/** A component uses components, but no more than so many deep. */
const deepest = 10;

/**
 * Plain steps in order; those of a component have ids like `log-in/step-2`. Called when the step is reached, so that parameters may hold
 * what earlier steps saved. Throws a sentence for an unknown component, a missing or unknown parameter, and one that uses itself.
 */
export function expandStep(
  step: Step,
  file: string,
  components: ReadonlyMap<string, LoadedComponent>,
  valuesOf: () => Values,
  lenient: boolean,
): readonly PlannedStep[] {
  return expand(step, {}, [], file, step.id);

  function expand(
    one: Step,
    parameters: Values,
    above: readonly string[],
    inFile: string,
    writtenId: string,
  ): readonly PlannedStep[] {
    if (one.type !== 'component') return [{ step: one, parameters, file: inFile, writtenId }];
    const { component: name } = one.config;
    if (above.includes(name) || above.length >= deepest)
      throw new Error(`The component "${name}" uses itself: ${[...above, name].join(' → ')}.`);
    const found = components.get(name);
    if (!found) {
      const near = nearestName(name, components.keys());
      const hint =
        near === undefined
          ? `Known: ${[...components.keys()].join(', ') || 'none'}.`
          : `Did you mean "${near}"?`;
      throw new Error(`There is no component "${name}". ${hint}`);
    }
    const given = substitute(one.config.parameters, { ...valuesOf(), ...parameters }, lenient);
    const own = parametersOf(name, found, given);
    return found.component.steps.flatMap((inner) =>
      expand(
        {
          ...inner,
          id: `${one.id}/${inner.id}`,
          ...(inner.timeout === undefined && one.timeout !== undefined && { timeout: one.timeout }),
          continueOnError: inner.continueOnError || one.continueOnError,
        },
        own,
        [...above, name],
        found.file,
        inner.id,
      ),
    );
  }
}

function parametersOf(
  name: string,
  { component }: LoadedComponent,
  given: ConfigOf<'component'>['parameters'],
): Values {
  const known = component.parameters.map((one) => one.name);
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    throw new Error(
      `The component "${name}" has no parameter "${key}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    );
  }
  const values: Record<string, unknown> = {};
  for (const { name: key, defaultValue } of component.parameters) {
    const value = given[key] ?? defaultValue;
    if (value === undefined) throw new Error(`The component "${name}" needs the parameter "${key}".`);
    values[key] = value;
  }
  return values;
}
