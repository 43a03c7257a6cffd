// Scenario files as people write them: defaults and ids, and every mistake at its line with what was probably meant.
import assert from 'node:assert/strict';
import { orderedStrategies, strategyText } from '../../../src/core/scenario/locatorSchema.ts';
import { problemText } from '../../../src/core/scenario/problem.ts';
import { readComponent, readScenario, readScenarioConfig } from '../../../src/core/scenario/readScenario.ts';

const checkout = `
id: checkout
name: Check out   # a comment
variables:
  - { name: user, defaultValue: anna }
setup:
  - { type: navigate, config: { url: / } }
steps:
  - type: click
    description: Open the cart
    config:
      locator:
        displayName: Cart
        strategies:
          - { type: css, selector: '#cart', priority: 2 }
          - { type: testId, value: cart, priority: 1 }
  - id: paid
    type: assert
    config: { assertion: title, value: 'Thank you, {{user}}' }
`;

const problemsOf = (text: string): readonly string[] =>
  readScenario(text, 'a.scenario.yaml').problems.map(problemText);

describe('a scenario file', () => {
  it('gets the defaults of the contract, and an id for each step', () => {
    const { value, problems, rangeOf } = readScenario(checkout, 'a.scenario.yaml');
    assert.deepEqual(problems, []);
    assert.ok(value);
    assert.equal(value.priority, 'medium');
    assert.deepEqual(
      [...value.setup, ...value.steps].map(({ id }) => id),
      ['setup-1', 'step-1', 'paid'],
    );
    const [click] = value.steps;
    assert.ok(click?.type === 'click');
    assert.equal(click.continueOnError, false);
    assert.deepEqual([click.config.button, click.config.clickCount, click.config.modifiers], ['left', 1, []]);
    const { locator } = click.config;
    assert.deepEqual(locator.healing, { enabled: true, autoApprove: false, confidenceThreshold: 0.9 });
    assert.deepEqual(orderedStrategies(locator).map(strategyText), ['testId="cart"', 'css=#cart']);
    assert.equal(rangeOf(['steps', 1]).start.line, 17);
  });

  it('may be JSON, indented by tabs too', () => {
    const json = JSON.stringify(
      { id: 'a', name: 'A', steps: [{ type: 'hover', config: { locator: { displayName: 'x', strategies: [{ type: 'text', value: 'X' }] } } }] }, // prettier-ignore
      null,
      '\t',
    );
    assert.equal(readScenario(json, 'a.scenario.json').value?.steps[0]?.type, 'hover');
  });

  it('names an unknown field and the one that was meant, at the field', () => {
    assert.deepEqual(problemsOf(checkout.replace('description:', 'desciption:')), [
      'a.scenario.yaml:10:5 Unknown field "desciption" in steps[0]. Did you mean "description"?',
    ]);
    assert.deepEqual(problemsOf(checkout.replace('selector:', 'path:')), [
      'a.scenario.yaml:15:13 The field "selector" is missing in steps[0].config.locator.strategies[0]. Add it.',
      'a.scenario.yaml:15:26 Unknown field "path" in steps[0].config.locator.strategies[0]. Known here: type, selector, priority, nth, timeout.',
    ]);
  });

  it('names an unknown type of step, strategy and matcher with the closest one', () => {
    assert.deepEqual(problemsOf(checkout.replace('type: click', 'type: clik')), [
      'a.scenario.yaml:9:11 Unknown type of step: "clik". Did you mean "click"?',
    ]);
    assert.match(problemsOf(checkout.replace('testId,', 'test-id,')).join(), /Did you mean "testId"\?/);
    assert.match(
      problemsOf(checkout.replace('assertion: title', 'assertion: colour')).join(),
      /Unknown value for steps\[1\]\.config\.assertion: "colour"\. Use one of visible, hidden, text/,
    );
    assert.match(
      problemsOf(checkout.replace('assertion: title', 'assertion: title, matcher: contain')).join(),
      /Did you mean "contains"\?/,
    );
  });

  it('says what is missing, and of what', () => {
    assert.deepEqual(problemsOf('name: A\nsteps: []\n'), [
      'a.scenario.yaml:1:1 The field "id" is missing. Add it.',
      'a.scenario.yaml:2:8 steps: Too small: expected array to have >=1 items. See docs/scenarios.md for what belongs there.',
    ]);
    assert.match(problemsOf('id: a\nname: A\nsteps:\n  - description: x\n').join(), /:4:5 The field "type" is missing in steps\[0\]\. Add it: one of navigate, click/); // prettier-ignore
    assert.match(problemsOf('').join(), /1:1 The file/);
    assert.match(problemsOf('- a\n- b\n').join(), /The file: expected object, received array/);
  });

  it('tells broken YAML, doubled keys and bombs of aliases at their lines', () => {
    assert.match(problemsOf('id: a\nname: "A\nsteps: []\n').join(), /cannot be read: Missing closing "quote/);
    assert.match(
      problemsOf('id: a\nid: b\n').join(),
      /:2:1 The file cannot be read: Map keys must be unique/,
    );
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]', 'b: &b [*a,*a,*a,*a,*a,*a,*a,*a]', 'c: &c [*b,*b,*b,*b,*b,*b,*b,*b]', 'd: [*c,*c,*c,*c,*c]']; // prettier-ignore
    assert.match(problemsOf(bomb.join('\n')).join(), /Excessive alias count/);
  });

  it('refuses two steps with one id and a variable that is declared twice', () => {
    assert.deepEqual(problemsOf(checkout.replace('id: paid', 'id: setup-1')), [
      'a.scenario.yaml:17:9 Two steps have the id "setup-1". Give each step an id of its own.',
    ]);
    const twice = checkout.replace('anna }', 'anna }\n  - { name: user }');
    assert.match(problemsOf(twice).join(), /:6:13 The variable "user" is declared twice/);
  });

  it('has components with parameters and a configuration with environments beside it', () => {
    const component = readComponent('name: login\nparameters: [{ name: user }]\nsteps:\n  - { type: navigate, config: { url: /login } }\n', 'login.component.yaml'); // prettier-ignore
    assert.deepEqual(
      [component.value?.steps[0]?.id, component.value?.parameters[0]?.type],
      ['step-1', 'string'],
    );
    assert.equal(
      readScenarioConfig('# nothing yet\n', 'scenario.config.yaml').value?.testIdAttribute,
      'data-testid',
    );
    const config = readScenarioConfig('environments: { local: { baseUrl: http://localhost:3000 } }\nbaseURL: x\n', 'scenario.config.yaml'); // prettier-ignore
    assert.deepEqual(config.problems.map(problemText), [
      'scenario.config.yaml:2:1 Unknown field "baseURL". Did you mean "baseUrl"?',
    ]);
  });
});
