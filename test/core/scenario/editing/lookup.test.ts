// What a name in a scenario file means, where it is declared, and the outline of the steps.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { definitionsAt } from '../../../../src/core/scenario/editing/definition.ts';
import { hoverAt } from '../../../../src/core/scenario/editing/hover.ts';
import { jsonSchemaOf } from '../../../../src/core/scenario/editing/jsonSchemas.ts';
import { outlineOf, type OutlineItem } from '../../../../src/core/scenario/editing/outline.ts';
import { edited } from './files.ts';

const text = `id: a
name: A
variables:
  - { name: user, defaultValue: anna }
  - { name: pin, defaultValue: 4711, secret: true }
steps:
  - type: api-request
    config: { url: '/{{user}}/{{pin}}/{{apiToken}}/{{currency}}/{{none}}', saveResponseAs: cart }
  - type: component
    description: Log in first
    config: { component: Log in, parameters: { user: '{{cart.body.user}}' } }
  - type: click
    config: { button: left, locator: { displayName: Cart
`;
/** With the cursor in the middle of the text that stands between the braces of `at`. */
const marked = (at: string): string => {
  const plain = at.replace('¦', '');
  const start = text.indexOf(plain);
  assert.ok(start >= 0, plain);
  return text.slice(0, start) + at + text.slice(start + plain.length);
};
const hover = (at: string): string | undefined => {
  const { file, offset } = edited(marked(at));
  return hoverAt(file, offset)?.markdown;
};
const definitions = (at: string): readonly string[] => {
  const { file, offset } = edited(marked(at));
  return definitionsAt(file, offset).map(
    (one) => `${one.file ?? 'here'}:${one.range.start.line}:${one.range.start.column}`,
  );
};

describe('a name in a scenario file', () => {
  it('is explained by the schema: fields, their values and types', () => {
    assert.match(
      hover('sav¦eResponseAs') ?? '',
      /^\*\*saveResponseAs\*\*: Name of the variable for the response/,
    );
    assert.match(
      hover('butt¦on') ?? '',
      /Button of the mouse.*`left`, `right`, `middle`.*`left` without it/s,
    );
    assert.match(hover('type: cl¦ick') ?? '', /^\*\*click\*\*: Click an element\.$/);
    assert.match(hover('i¦d: a') ?? '', /^\*\*id\*\* \(needed\): Stays the same/);
    assert.equal(hover('A¦\nvariables'), undefined);
  });

  it('is explained by its value, which a secret keeps', () => {
    assert.match(hover('{{us¦er}}') ?? '', /Variable of this scenario\s+```\nanna\n```/);
    assert.match(hover('{{pi¦n}}') ?? '', /^\*\*\{\{pin\}\}\*\*: Variable of this scenario, secret$/);
    assert.match(hover('{{api¦Token}}') ?? '', /Variable of the configuration$/);
    assert.match(hover('{{curr¦ency}}') ?? '', /EUR/);
    assert.match(hover('{{no¦ne}}') ?? '', /nothing here gives it a value/);
    assert.match(hover('{{cart.bo¦dy.user}}') ?? '', /Response of steps\\\[0\\\]/);
    assert.match(hover('component: Log¦ in') ?? '', /Logs a user in\..*- `user` \(needed\)\n- `remember`$/s);
  });

  it('leads to its declaration: in this file, in the configuration, in the file of the component', () => {
    assert.deepEqual(definitions('{{us¦er}}'), ['here:4:13']);
    assert.deepEqual(definitions('{{cart.bo¦dy.user}}'), ['here:8:92']);
    assert.deepEqual(definitions('{{curr¦ency}}'), ['/shop/scenario.config.yaml:2:7']);
    assert.deepEqual(definitions('component: Log¦ in'), ['/shop/log-in.component.yaml:2:7']);
    assert.deepEqual(definitions('desc¦ription'), []);
  });

  it('stands in the outline, also while the file is broken', () => {
    const drawn = (items: readonly OutlineItem[], depth = 0): readonly string[] =>
      items.flatMap((one) => [
        `${' '.repeat(depth)}${one.name} (${one.detail}) ${JSON.stringify(text.slice(one.start, one.end)).slice(1, 16)}`,
        ...drawn(one.children, depth + 1),
      ]);
    assert.deepEqual(drawn(outlineOf('scenario', text)), [
      'variables () variables:\\n  -',
      ' user () { name: user, d',
      ' pin () { name: pin, de',
      'steps () steps:\\n  - typ',
      ' 1 api-request /{{user}}/{{pin}}/{{apiToken}}/{{currency}}/{{none}} (api-request) type: api-reque',
      ' Log in first (component) type: component',
      ' 3 click Cart (click) type: click\\n  ',
    ]);
  });
});

describe('the JSON Schema of scenario files', () => {
  const docs = path.resolve(import.meta.dirname, '../../../../docs');
  for (const kind of ['scenario', 'component', 'config'] as const)
    it(`in docs/schemas/${kind}.schema.json is the one of the loader`, () => {
      const written: unknown = JSON.parse(
        readFileSync(path.join(docs, 'schemas', `${kind}.schema.json`), 'utf8'),
      );
      assert.deepEqual(written, jsonSchemaOf(kind), 'write it anew: npm run docs:schemas');
    });
});
