// Questions on a terminal, asked in a real process: answers that are none, and an input that ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(path.resolve('src/cli/terminalAsk.ts')).href;
const program = `
import { terminalAsk, terminalPick } from ${JSON.stringify(source)};
const controller = new AbortController();
process.on('SIGINT', () => controller.abort(new RangeError('interrupted')));
const write = async (text) => void process.stdout.write(text);
const terminal = { paint: { bold: (text) => text }, out: write };
const ask = terminalAsk(terminal, controller.signal);
const items = ['one', 'two', 'three'].map((item) => ({ item, label: item }));
const pick = (several) => terminalPick(terminal, controller.signal, items, several);
const choices = [{ key: 'a', label: 'Accept' }, { key: 'b', label: 'Bug' }, { key: 's', label: 'Skip' }];
console.log('\\nanswer', String(await (EXPRESSION).catch((error) => error.name)));
`;

/** What the program prints that asks one question; typed is the first line and, once there is a hint, the second. */
const asked = (...typed: readonly string[]): Promise<string> => answered("ask('Right?', choices)", typed);

async function answered(expression: string, typed: readonly string[]): Promise<string> {
  const script = program.replace('EXPRESSION', () => expression);
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  const [first = '', second] = typed;
  child.stdin.write(first);
  if (second === undefined) child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (second !== undefined && text.includes('then Enter')) child.stdin.end(second);
  });
  await once(child, 'close');
  assert.equal(child.exitCode, 0);
  return said;
}

describe('a question on the terminal', () => {
  it('says which answers there are after another one', async () => {
    const said = await asked('y\n', 'a\n');
    assert.match(said, /Type a, b or s, then Enter\./);
    assert.match(said, /answer a\n$/);
  });

  it('is given up with the reason of a cancelled command when the input ends', async () => {
    assert.match(await asked(''), /answer RangeError\n$/);
  });

  it('takes several items by their numbers, or all, and only one where one is asked for', async () => {
    const several = await answered('pick(true)', ['4\n', '3, 1\n']);
    assert.match(several, /^1 {2}one\n2 {2}two\n3 {2}three\n/);
    assert.match(several, /Type numbers from 1 to 3, or all, then Enter\.[^]*answer three,one\n$/);
    assert.match(await answered('pick(true)', ['ALL\n']), /answer one,two,three\n$/);
    assert.match(
      await answered('pick(false)', ['1 2\n', '2\n']),
      /Type a number from 1 to 3[^]*answer two\n$/,
    );
  });
});
