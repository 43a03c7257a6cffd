// A healed locator is written into a scenario, and nothing else of the text changes.
import assert from 'node:assert/strict';
import { rewriteLocator } from '../../../../src/core/scenario/healing/rewriteLocator.ts';

const yaml = `# The checkout.
id: checkout
name:   Checkout
steps:
  - type: click   # first
    config:
      locator:
        displayName: Buy
        strategies:
          # The team's own id.
          - type: testId
            value: buy-button
            priority: 1 # first

          - type: css   # last resort
            selector: '.buy'
  - id: again
    type: click
    config: { locator: { displayName: Buy, strategies: [{ type: testId, value: buy-button }, {type: css, selector: .buy}] } }
`;
const original = { type: 'testId' as const, value: 'buy-button', priority: 1 };
const healed = [{ type: 'role' as const, role: 'button', name: 'Buy now' }];
const change = { displayName: 'Buy', original, healed };

describe('a healed locator in a scenario', () => {
  it('takes the place of the original in its step alone, with comments, spaces and priority kept', () => {
    assert.equal(
      rewriteLocator(yaml, { ...change, stepId: 'step-1' }),
      yaml.replace(
        '- type: testId\n            value: buy-button\n            priority: 1',
        '- type: role\n            role: button\n            name: Buy now\n            priority: 1',
      ),
    );
  });

  it('is written in the style of a line, and of all steps with the name when no step is given', () => {
    const text = rewriteLocator(yaml, change) ?? '';
    assert.match(
      text,
      /strategies: \[\{ type: role, role: button, name: Buy now \}, \{type: css, selector: \.buy\}\]/,
    );
    assert.match(text, /- type: role\n/);
    assert.match(text, /# The team's own id\.\n/);
  });

  it('writes further strategies behind the healed one', () => {
    const further = { type: 'text' as const, value: 'Buy: now #1' };
    const text = rewriteLocator(yaml, { ...change, healed: [...healed, further], stepId: 'again' }) ?? '';
    assert.match(
      text,
      /\[\{ type: role, role: button, name: Buy now \}, \{ type: text, value: "Buy: now #1" \}, \{type: css/,
    );
    const block = rewriteLocator(yaml, { ...change, healed: [...healed, further], stepId: 'step-1' }) ?? '';
    assert.match(
      block,
      /priority: 1\n {10}- type: text\n {12}value: "Buy: now #1"\n {12}priority: 2 # first\n/,
    );
  });

  it('goes in front where the locator has other strategies', () => {
    const text =
      rewriteLocator(yaml, { ...change, original: { type: 'text', value: 'else' }, stepId: 'again' }) ?? '';
    assert.match(text, /\[\{ type: role, role: button, name: Buy now \}, \{ type: testId/);
  });

  it('only loses the original where the healed one stands behind it', () => {
    const css = { type: 'css' as const, selector: '.buy' };
    const text = rewriteLocator(yaml, { ...change, healed: [css], stepId: 'step-1' }) ?? '';
    assert.ok(!text.slice(0, text.indexOf('again')).includes('testId'));
    assert.match(text, /- type: css {3}# last resort\n {12}selector: '\.buy'/);
  });

  it('keeps JSON as JSON', () => {
    const json = JSON.stringify(
      {
        steps: [
          { id: 'a', type: 'click', config: { locator: { displayName: 'Buy', strategies: [original] } } },
        ],
      },
      undefined,
      2,
    );
    const text =
      rewriteLocator(json, { ...change, healed: [...healed, { type: 'text', value: 'Buy "now"' }] }) ?? '';
    assert.deepEqual(JSON.parse(text).steps[0].config.locator.strategies, [
      { ...healed[0], priority: 1 },
      { type: 'text', value: 'Buy "now"', priority: 2 },
    ]);
    assert.equal(text.split('\n').length, json.split('\n').length + 6);
  });

  it('is undefined where there is no such locator, or nothing to change', () => {
    assert.equal(rewriteLocator(yaml, { ...change, displayName: 'Sell' }), undefined);
    assert.equal(rewriteLocator(yaml, { ...change, stepId: 'step-9' }), undefined);
    const done = rewriteLocator(yaml, change) ?? '';
    assert.equal(rewriteLocator(done, change), undefined);
  });
});
