// The names between double braces in scenario files have a colour of their own.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const grammar = z
  .object({ injectionSelector: z.string(), patterns: z.array(z.object({ match: z.string() })).length(1) })
  .parse(
    JSON.parse(
      readFileSync(
        path.resolve(import.meta.dirname, '../../syntaxes/testmend-variables.tmLanguage.json'),
        'utf8',
      ),
    ),
  );

describe('the grammar of variables', () => {
  it('finds each name with its members, and no other braces', () => {
    const pattern = new RegExp(grammar.patterns[0]?.match ?? '', 'g');
    const found = (text: string): readonly string[] =>
      Array.from(text.matchAll(pattern), ([, , name, members]) => `${name}|${members}`);
    assert.deepEqual(found('/{{shop}}/{{ cart.items[0].id }}?q={{log-in}}'), ['shop|', 'cart|.items[0].id', 'log-in|']); // prettier-ignore
    assert.deepEqual(found('${{ github.ref }} {{ .Values.name }} {a} {{}} {{ a b }}'), []);
  });

  it('is looked for in texts of YAML and JSON', () => {
    assert.match(grammar.injectionSelector, /source\.yaml string.*source\.json string/);
  });
});
