// A workspace that is hard to show: hostile and long titles, forty tests that fail alike, several fixes in one file, one fix for many files.
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace.ts';

/** Markup that would leave a trace, an override of direction, a bell. */
export const hostileTitle = `<img src=x onerror="globalThis.owned=1"><script>globalThis.owned=1</script> \u202Egpj.exe\u202C \u0007`;
export const longTitle = `keeps ${'one very long promise about everything that a shop ever said to anybody, '.repeat(5)}and_a_word_without_any_break_${'x'.repeat(120)}`;

const greeting = (word: string): string => `export const greet = (name) => \`${word}, \${name}\`;
export const part = (name) => \`${word === 'Hi' ? 'Bye' : 'Goodbye'}, \${name}\`;
export const mark = () => '<b>${word}</b>';
`;
const stock = (line: string): string => `export function left(item) {\n  ${line}\n}\n`;
const head = `import assert from 'node:assert/strict';\nimport { it } from 'node:test';\n`;

const label = `export const label = (item) => \`\${item}, fresh\`;
`;
const labelled = ['apples', 'nuts', 'pears'];

/** The last commit is green; the working tree has other texts, a moved file and a bug. */
export async function roughWorkspace(): Promise<TemporaryWorkspace> {
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{ "name": "rough", "type": "module", "scripts": { "test": "node --test" } }',
      'src/greeting.js': greeting('Hi'),
      'src/stock.js': stock('return { nuts: 3 }[item] ?? 0;'),
      'src/label.js': label,
      ...Object.fromEntries(
        labelled.map((item) => [
          `tests/labels/${item}.test.js`,
          `${head}import { label } from '../../src/label.js';

it('labels ${item}', () => {
  assert.equal(label('${item}'), '${item}, fresh');
});
`,
        ]),
      ),
      'tests/greeting.test.js': `${head}import { greet, mark, part } from '../src/greeting.js';

it(${JSON.stringify(hostileTitle)}, () => {
  assert.equal(greet('Ada'), 'Hi, Ada');
});
it('says goodbye', () => {
  assert.equal(part('Ada'), 'Bye, Ada');
});
it(${JSON.stringify(longTitle)}, () => {
  assert.equal(mark(), '<b>Hi</b>');
});
`,
      'tests/again.test.js': `${head}import { greet } from '../src/greeting.js';

it('greets Ada again', () => {
  assert.equal(greet('Ada'), 'Hi, Ada');
});
`,
      'tests/stock.test.js': `${head}import { left } from '../src/stock.js';
${Array.from({ length: 40 }, (_, index) => `\nit('counts shelf ${index + 1}', () => {\n  assert.equal(left('nuts'), 3);\n});`).join('')}
`,
    },
    { git: true, name: 'rough' },
  );
  await workspace.write('src/greeting.js', greeting('Hello'));
  await workspace.write('src/stock.js', stock('return stores[item].count;'));
  workspace.git('mv', 'src/label.js', 'src/tag.js');
  return workspace;
}
