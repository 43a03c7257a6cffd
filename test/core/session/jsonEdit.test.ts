// A value set in somebody else's JSON changes nothing else in it.
import assert from 'node:assert/strict';
import { setInJson } from '../../../src/core/session/jsonEdit.ts';

describe('a value set in JSON', () => {
  it('leaves every other byte as it was: numbers, order, odd spacing, escapes', () => {
    const text =
      '{\r\n\t"a" : 1.0,\r\n\t"big": 12345678901234567890, "s": "\\u00e9 \\"}",\r\n\t"status":"pending"\r\n}';
    assert.equal(setInJson(text, ['status'], 'completed'), text.replace('pending', 'completed'));
  });

  it('finds elements of lists, and the last of members with one name', () => {
    assert.equal(setInJson('[1,[2,{"x":"]"}],{"a":3}]', [2, 'a'], 4), '[1,[2,{"x":"]"}],{"a":4}]');
    assert.equal(setInJson('{"a":1,"a":2}', ['a'], 3), '{"a":1,"a":3}');
    assert.equal(setInJson('{"\\u0061":1}', ['a'], 3), '{"\\u0061":3}');
  });

  it('adds what is missing in the indentation of the document', () => {
    const text = '{\n    "plan": {},\n    "list": [1, 2]\n}\n';
    assert.equal(
      setInJson(text, ['results', 'L1'], { ok: true }),
      '{\n    "plan": {},\n    "list": [1, 2],\n    "results": {\n        "L1": {\n            "ok": true\n        }\n    }\n}\n',
    );
    assert.equal(
      setInJson(text, ['plan', 'of'], 'x'),
      '{\n    "plan": {\n        "of": "x"\n    },\n    "list": [1, 2]\n}\n',
    );
    assert.equal(setInJson('{"a":1}', ['b', 'c'], 2), '{"a":1,"b":{"c":2}}');
    assert.equal(setInJson('{ "a": 1 }', ['b'], 2), '{ "a": 1, "b": 2 }');
    assert.equal(setInJson('{}', ['b'], 2), '{\n  "b": 2\n}');
    assert.equal(setInJson('\uFEFF{"a":null}', ['a', 'b'], 2), '\uFEFF{"a":{"b":2}}');
  });

  it('is refused where the way leads through what can hold no member', () => {
    for (const text of ['[]', '"x"', '7', '{"a":"x"}', '{"a":[1]}'])
      assert.equal(setInJson(text, ['a', 'b'], 1), undefined, text);
    assert.equal(setInJson('[1]', [3], 1), undefined);
  });

  it('gives what a reader of JSON understands, whatever the document looks like', () => {
    const value = { deep: [{ 'ke"y': '\\' }, [], {}, null, true, -1.5e-3], '': { a: '\n' } };
    for (const indent of [undefined, 1, 4, '\t']) {
      const text = JSON.stringify({ first: value, execution_results: { old: value }, last: 1 }, null, indent);
      const changed = setInJson(text, ['execution_results', 'L1'], value) ?? '';
      assert.deepEqual(JSON.parse(changed), {
        first: value,
        execution_results: { old: value, L1: value },
        last: 1,
      });
      assert.equal(
        setInJson(changed, ['execution_results', 'L1'], value),
        changed,
        'setting it again changes nothing',
      );
    }
  });

  it('bears very deep and very long documents', () => {
    const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)},"s":1}`;
    assert.equal(setInJson(deep, ['s'], 2), deep.replace('"s":1', '"s":2'));
    const long = JSON.stringify({ a: Array.from({ length: 200_000 }, (_, n) => ({ n })), s: 1 });
    assert.equal(setInJson(long, ['s'], 2), long.replace('"s":1', '"s":2'));
  });
});
