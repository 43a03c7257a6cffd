// Locators are written as people would write them, and find nothing else.
import assert from 'node:assert/strict';
import type { ElementFingerprint } from '../../../../src/core/scenario/healing/fingerprint.ts';
import { locatorsFor } from '../../../../src/core/scenario/healing/locatorsFor.ts';

const button = (text: string, more: Partial<ElementFingerprint> = {}): ElementFingerprint => ({
  tag: 'button',
  role: 'button',
  accessibleName: text,
  text,
  ...more,
});
const field = (more: Partial<ElementFingerprint>): ElementFingerprint => ({
  tag: 'input',
  type: 'text',
  role: 'textbox',
  ...more,
});

describe('locators for an element', () => {
  it('are its test id and its role with name', () => {
    const buy = button('Buy', { attributes: { 'data-testid': 'buy' } });
    assert.deepEqual(locatorsFor(buy, [buy, button('Sell')]), [
      { type: 'testId', value: 'buy' },
      { type: 'role', role: 'button', name: 'Buy' },
    ]);
  });

  it('look at the test id attribute of the configuration alone', () => {
    const buy = button('Buy', { attributes: { 'data-testid': 'buy', 'data-qa': 'q' } });
    assert.deepEqual(locatorsFor(buy, [buy], { testIdAttribute: 'data-qa', most: 1 }), [
      { type: 'testId', value: 'q' },
    ]);
  });

  it('are exact where a part is found in another name too', () => {
    const buy = button('Buy');
    assert.deepEqual(locatorsFor(buy, [buy, button('Buy all')], { most: 1 }), [
      { type: 'role', role: 'button', name: 'Buy', exact: true },
    ]);
  });

  it('leave out what is there twice', () => {
    const first = button('Delete', { name: 'delete-7' });
    assert.deepEqual(locatorsFor(first, [first, button('Delete')]), [
      { type: 'css', selector: 'button[name="delete-7"]' },
    ]);
    assert.deepEqual(locatorsFor(button('x'), [button('x'), button('x')]), []);
  });

  it('name a field by its label, not by its placeholder', () => {
    const mail = field({ accessibleName: 'E-mail', id: 'mail' });
    assert.deepEqual(locatorsFor(mail, [mail, field({ accessibleName: 'Name' })], { most: 3 }), [
      { type: 'role', role: 'textbox', name: 'E-mail' },
      { type: 'label', value: 'E-mail' },
      { type: 'css', selector: '#mail' },
    ]);
    const search = field({ accessibleName: 'Search', attributes: { placeholder: 'Search' } });
    assert.deepEqual(
      locatorsFor(search, [search], { most: 3 }).map(({ type }) => type),
      ['role', 'css'],
    );
  });

  it('use the text of the innermost element that holds it', () => {
    const text: ElementFingerprint = { tag: 'span', text: 'In stock', path: 'html[1]/body[1]/p[1]/span[1]' };
    const around: ElementFingerprint = { tag: 'p', text: 'In stock', path: 'html[1]/body[1]/p[1]' };
    assert.deepEqual(locatorsFor(text, [around, text], { most: 1 }), [{ type: 'text', value: 'In stock' }]);
  });

  it('use no ids and classes that programs make', () => {
    const icon: ElementFingerprint = { tag: 'div', id: 'ember1042', classes: ['css-1x2y3z', 'cart-icon'] };
    assert.deepEqual(locatorsFor(icon, [icon]), [{ type: 'css', selector: 'div.cart-icon' }]);
  });

  it('go down from the nearest element with an id where nothing else is unique', () => {
    const list: ElementFingerprint = { tag: 'ul', id: 'menu', path: 'html[1]/body[1]/ul[1]' };
    const items = [1, 2].map((at): ElementFingerprint => ({
      tag: 'li',
      path: `html[1]/body[1]/ul[1]/li[${at}]`,
    }));
    assert.deepEqual(locatorsFor(items[1] ?? list, [list, ...items]), [
      { type: 'css', selector: '#menu > li:nth-of-type(2)' },
    ]);
  });
});
