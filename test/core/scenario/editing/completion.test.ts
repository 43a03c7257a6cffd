// What is offered while somebody types, mostly in a text that is not valid yet.
import assert from 'node:assert/strict';
import { completionsAt, type Completion } from '../../../../src/core/scenario/editing/completion.ts';
import type { ScenarioFileKind } from '../../../../src/core/model/scenarioFile.ts';
import { readScenario } from '../../../../src/core/scenario/readScenario.ts';
import { edited } from './files.ts';

const offered = (marked: string, kind?: ScenarioFileKind, isJson?: boolean): readonly Completion[] => {
  const { file, offset } = edited(marked, kind, isJson);
  return completionsAt(file, offset);
};
const labels = (marked: string, kind?: ScenarioFileKind, isJson?: boolean): readonly string[] =>
  offered(marked, kind, isJson).map(({ label }) => label);

/** The text after the completion was chosen; places to fill in are left empty. */
function chosen(marked: string, label: string, isJson = false): string {
  const { file, offset } = edited(marked, 'scenario', isJson);
  const found = completionsAt(file, offset).find((one) => one.label === label);
  assert.ok(found, `${label} is offered`);
  const plain = found.insert.replace(/\$\{\d+\|([^,|]*)[^}]*\}|\$\d+/g, (_, first?: string) => first ?? 'x');
  return file.text.slice(0, found.start) + plain + file.text.slice(found.end);
}

const head = 'id: a\nname: A\n';

describe('completion in a scenario file', () => {
  const table: readonly (readonly [where: string, text: string, expected: readonly string[]])[] = [
    ['values for the type of a step', `${head}steps:\n  - type: cl¦\n`, ['navigate', 'click', 'fill', 'select', 'assert', 'wait', 'api-request', 'api-assert', 'hover', 'screenshot', 'component', 'script']],
    ['fields of a step, without those it has', `${head}steps:\n  - type: click\n    ¦\n    config:\n      locator:\n`, ['id', 'description', 'timeout', 'continueOnError']],
    ['fields of the configuration of that type', `${head}steps:\n  - type: navigate\n    config:\n      ¦`, ['url', 'waitUntil']],
    ['the same between braces', `${head}steps:\n  - { type: navigate, config: { url: /, ¦ } }\n`, ['waitUntil']],
    ['the same between braces that are still open', `${head}steps:\n  - { type: navigate, config: { ¦\n`, ['url', 'waitUntil']],
    ['types of a strategy', `${head}steps:\n  - type: hover\n    config:\n      locator:\n        displayName: B\n        strategies:\n          - { type: ¦ }\n`, ['testId', 'role', 'text', 'label', 'css', 'xpath']],
    ['fields of that strategy', `${head}steps:\n  - type: hover\n    config:\n      locator:\n        strategies:\n          - { type: role, n¦ }\n`, ['role', 'name', 'exact', 'priority', 'nth', 'timeout']],
    ['values of an enumeration', `${head}steps:\n  - type: click\n    config:\n      button: ¦\n`, ['left', 'right', 'middle']],
    ['values of an enumeration in a list', `${head}steps:\n  - type: click\n    config:\n      modifiers: [Alt, ¦]\n`, ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']],
    ['items of a list on lines', `${head}steps:\n  - type: click\n    config:\n      modifiers:\n        - ¦\n`, ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']],
    ['yes and no', `lenient: ¦`, ['true', 'false']],
    ['kinds of assertion', `${head}steps:\n  - type: assert\n    config:\n      assertion: ¦\n`, ['visible', 'hidden', 'text', 'value', 'attribute', 'url', 'title']],
    ['names of components', `${head}steps:\n  - type: component\n    config:\n      component: Lo¦\n`, ['Log in']],
    ['parameters of the component', `${head}steps:\n  - type: component\n    config:\n      component: Log in\n      parameters:\n        ¦\n`, ['user', 'remember']],
    ['environments', `environment: ¦\n`, ['local', 'staging']],
    ['saved responses', `${head}steps:\n  - type: api-request\n    config: { url: /a, saveResponseAs: cart }\n  - type: api-assert\n    config: { assertion: status, response: ¦ }\n`, ['cart']],
    ['nothing in a comment', `${head}# ¦\nsteps: []\n`, []],
    ['nothing in a text', `${head}description: a text, and more ¦\n`, []],
  ]; // prettier-ignore
  for (const [where, text, expected] of table)
    it(`offers ${where}`, () => assert.deepEqual(labels(text), expected));

  it('offers the fields of an empty file, the needed ones first by rank', () => {
    const all = offered('¦');
    assert.deepEqual(all.filter(({ rank }) => rank === 0).map(({ label }) => label), ['id', 'name', 'steps']); // prettier-ignore
    assert.match(all.find(({ label }) => label === 'id')?.documentation ?? '', /renamed/);
  });

  it('offers variables between braces: declared, saved and of the configuration, secrets without value', () => {
    const text = `${head}variables:\n  - { name: user, defaultValue: anna }\n  - { name: password, defaultValue: hunter2 }\nsteps:\n  - type: api-request\n    config: { url: /cart, saveResponseAs: cart }\n  - type: navigate\n    config: { url: '/{{¦}}' }\n`;
    assert.deepEqual(
      offered(text).map(({ label, detail }) => `${label} ${detail}`.trim()),
      ['user = anna', 'password', 'cart', 'currency = EUR', 'apiToken'],
    );
    assert.deepEqual(labels(text.replace('{{¦', '{{cart.¦')).slice(2, 6), ['cart', 'cart.status', 'cart.body', 'cart.headers']); // prettier-ignore
    assert.match(chosen(text.replace('{{¦}}', '{{us¦'), 'user'), /url: '\/\{\{user\}\}'/);
    assert.match(chosen(text, 'user'), /url: '\/\{\{user\}\}'/);
  });

  it('writes a field with what its value needs', () => {
    assert.match(chosen(`${head}steps:\n  - type: hover\n    con¦\n`, 'config'), /\n {4}config:\n {6}$/m);
    assert.match(chosen(`${head}steps:\n  - type: hover\n    ¦config: {}\n`, 'id'), /\n {4}id: \{\}/);
    assert.match(chosen(`${head}ste¦\n`, 'steps'), /\nsteps:\n {2}- \n/);
  });

  it('writes whole steps that the loader reads, for every shape of a step', () => {
    const text = `${head}steps:\n  - ¦\n`;
    const steps = offered(text).filter(({ kind }) => kind === 'step');
    assert.deepEqual(steps.map(({ label }) => label), ['navigate', 'click', 'fill', 'select', 'assert visible', 'assert hidden', 'assert text', 'assert value', 'assert attribute', 'assert url', 'assert title', 'wait time', 'wait element', 'wait navigation', 'api-request', 'api-assert status', 'api-assert body', 'api-assert header', 'hover', 'screenshot', 'component', 'script']); // prettier-ignore
    for (const { label } of steps) {
      const written = chosen(text, label).replace('ms: x', 'ms: 5');
      assert.deepEqual(readScenario(written, label).problems, [], written);
    }
  });

  it('quotes names and texts in JSON', () => {
    const json = (inner: string): string => `{ "id": "a", "name": "A", "steps": [ { ${inner} } ] }`;
    assert.match(chosen(json('"type": "cl¦"'), 'click', true), /"type": "click" /);
    assert.match(chosen(json('"type": ¦'), 'click', true), /"type": "click" /);
    assert.match(chosen(json('"type": "click", "con¦"'), 'config', true), /"config" /);
    assert.match(chosen(json('"type": "click", ¦'), 'config', true), /"config": {2}/);
    assert.match(chosen(json('¦\n"type": "click"'), 'config', true), /"config": \n"type"/);
    assert.deepEqual(labels('{\n  "steps": [\n    {\n      "type": "navigate",\n      "config": {\n        "¦"\n      }\n    }\n  ]\n}', 'scenario', true), ['url', 'waitUntil']); // prettier-ignore
  });

  it('knows components and the configuration too', () => {
    assert.deepEqual(labels('name: a\nparameters:\n  - { name: b, ty¦ }\n', 'component'), [
      'type',
      'defaultValue',
    ]);
    assert.deepEqual(labels('trace: ¦', 'config'), ['off', 'retries', 'failures', 'on']);
    assert.deepEqual(labels('environments: { a: {}, b: {} }\ndefaultEnvironment: ¦', 'config'), ['a', 'b']);
  });

  it('answers at every place of a file, whole or cut there', () => {
    const text = `${head}steps:\n  - type: click\n    config: { locator: { displayName: "B", strategies: [{ type: css, selector: '#a' }] } } # x\n`;
    for (let at = 0; at <= text.length; at++) {
      offered(`${text.slice(0, at)}¦${text.slice(at)}`);
      offered(`${text.slice(0, at)}¦`);
    }
  });
});
