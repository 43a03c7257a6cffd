// Problems of a scenario file while it is being edited, each at its place.
import assert from 'node:assert/strict';
import { checkScenarioFile } from '../../../../src/core/scenario/editing/check.ts';
import { scenarioFileKind } from '../../../../src/core/model/scenarioFile.ts';
import { surroundings } from './files.ts';

const told = (text: string, kind: 'scenario' | 'component' | 'config' = 'scenario'): readonly string[] =>
  checkScenarioFile(kind, text, 'a.yaml', surroundings).map(
    ({ severity, range: { start, end }, message, remedy }) =>
      `${severity} ${start.line}:${start.column}-${end.line}:${end.column} ${message} ${remedy}`,
  );
const withSteps = (...steps: readonly string[]): string =>
  `id: a\nname: A\nvariables:\n  - { name: user, defaultValue: anna }\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;

describe('the problems of a scenario file', () => {
  it('are those of the loader', () => {
    assert.deepEqual(told(withSteps('{ type: navgate, config: { url: / } }')), [
      'error 6:13-6:20 Unknown type of step: "navgate". Did you mean "navigate"?',
    ]);
    assert.match(told('id: [')[0] ?? '', /^error 1:.*cannot be read/);
  });

  it('name a component that is not there, and parameters that are missing or unknown', () => {
    assert.deepEqual(
      told(
        withSteps(
          '{ type: component, config: { component: Log on } }',
          '{ type: component, config: { component: Log in, parameters: { usr: anna } } }',
          '{ type: component, config: { component: Log in, parameters: { user: anna } } }',
          '{ type: component, config: { component: "{{user}}" } }',
        ),
      ),
      [
        'error 6:45-6:51 There is no component "Log on". Did you mean "Log in"?',
        'error 7:67-7:70 The component "Log in" has no parameter "usr". Did you mean "user"?',
        'error 7:45-7:51 The component "Log in" needs the parameter "user". Add it under parameters.',
      ],
    );
  });

  it('warn of variables that nothing gives a value, at the name', () => {
    assert.deepEqual(
      told(
        withSteps(
          '{ type: api-request, config: { url: /, saveResponseAs: cart } }',
          `{ type: navigate, config: { url: '/{{ user }}/{{usr.name}}/{{cart.body.id}}/{{currency}}' } }`,
          '{ type: navigate, config: { url: "/{{nobody}}" } }',
        ),
      ),
      [
        'warning 7:53-7:56 Nothing here gives the variable "usr" a value. Did you mean "user"?',
        'warning 8:42-8:48 Nothing here gives the variable "nobody" a value. Declare it under variables, or give it in the run.',
      ],
    );
    assert.deepEqual(
      told(`lenient: true\n${withSteps('{ type: navigate, config: { url: "/{{nobody}}" } }')}`),
      [],
    );
    assert.deepEqual(told('name: c\nsteps:\n  - { type: navigate, config: { url: "/{{given}}" } }\n', 'component'), []); // prettier-ignore
  });

  it('ask for quotes around a value that begins with braces', () => {
    assert.deepEqual(told(withSteps('type: navigate\n    config:\n      url: {{user}}')), [
      'error 8:12-8:20 url: a value that begins with {{ needs quotes. Write "{{user}}".',
    ]);
  });

  it('are found by the names of files', () => {
    assert.deepEqual(
      ['a.scenario.yaml', 'b/a.scenario.json', 'a.component.yml', '/x/scenario.config.yaml', 'ascenario.config.yaml', 'a.yaml', 'a.scenario.ts'].map(scenarioFileKind), // prettier-ignore
      ['scenario', 'scenario', 'component', 'config', undefined, undefined, undefined],
    );
  });
});
