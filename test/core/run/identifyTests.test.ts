import assert from 'node:assert/strict';
import { vitest } from '../../../src/core/frameworks/vitest/vitest.ts';
import { assignIds } from '../../../src/core/model/testId.ts';
import { TestIdentifier } from '../../../src/core/run/identifyTests.ts';

/** Ids, without that of the file, of the tests that a run reports as `suite > title` or `suite > title @line`. */
async function identify(text: string, reported: readonly string[]): Promise<readonly string[]> {
  const { tests } = await vitest.scan('/shop/a.test.ts', text);
  const id = 'vitest:a.test.ts';
  const identifier = new TestIdentifier(id, {
    file: 'a.test.ts',
    framework: 'vitest',
    id,
    tests: assignIds(id, tests),
    warnings: [],
  });
  const refs = reported.map((entry, index) => {
    const [names = '', line] = entry.split(' @');
    const suites = names.split(' > ');
    const title = suites.pop() ?? '';
    return { key: String(index), suites, title, ...(line === undefined ? {} : { line: Number(line) }) };
  });
  return identifier.identify(refs).map((test) => test.id.replace(`${id}#`, ''));
}

describe('the id of a reported test', () => {
  it('is that of discovery when the names are the same', async () => {
    const text = `describe('cart', () => {\n  it('adds', () => {});\n});\nit('adds', () => {});\n`;
    assert.deepEqual(await identify(text, ['cart > adds', 'adds']), ['cart › adds', 'adds']);
  });

  it('numbers duplicates in order, or by line where it is known', async () => {
    const text = `it('adds', () => {});\nit('adds', () => {});\nit('adds', () => {});\n`;
    assert.deepEqual(await identify(text, ['adds', 'adds', 'adds']), ['adds', 'adds[2]', 'adds[3]']);
    assert.deepEqual(await identify(text, ['adds @3', 'adds @1']), ['adds[3]', 'adds']);
  });

  it('keeps suites of one name apart', async () => {
    const text = `describe('cart', () => {\n  it('adds', () => {});\n});\ndescribe('cart', () => {\n  it('adds', () => {});\n});\n`;
    assert.deepEqual(await identify(text, ['cart > adds @2', 'cart > adds @5']), [
      'cart › adds',
      'cart[2] › adds',
    ]);
  });

  it('numbers the cases of a template, found by line or by its words', async () => {
    const text = `it.each([1, 2])('doubles %i', () => {});\nit.each([1, 2])('doubles %i and more', () => {});\n`;
    const expected = ['doubles %25i::1', 'doubles %25i and more::1', 'doubles %25i::2'];
    assert.deepEqual(await identify(text, ['doubles 1', 'doubles 1 and more', 'doubles 2']), expected);
    assert.deepEqual(
      await identify(text, ['doubles 1 @1', 'doubles 1 and more @2', 'doubles 2 @1']),
      expected,
    );
  });

  it('finds computed titles by their line', async () => {
    const text = `for (const name of ['a', 'b']) {\n  it(name, () => {});\n}\n`;
    assert.deepEqual(await identify(text, ['a @2', 'b @2']), ['name::1', 'name::2']);
  });

  it('knows the tests of a parametrised suite', async () => {
    const text = `describe.each([1, 2])('with %i', () => {\n  it('adds', () => {});\n  it('adds more', () => {});\n});\n`;
    assert.deepEqual(
      await identify(text, ['with 1 > adds @2', 'with 1 > adds more @3', 'with 2 > adds @2']),
      ['with %25i › adds::1', 'with %25i › adds more::1', 'with %25i › adds::2'],
    );
  });

  it('is made of its names for a test that discovery did not find, and never given twice', async () => {
    assert.deepEqual(await identify(`it('here', () => {});\n`, ['made # up', 'made # up', 'here', 'here']), [
      'made %23 up',
      'made %23 up[2]',
      'here',
      'here[2]',
    ]);
  });
});
