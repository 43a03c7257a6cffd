// Questions on a terminal, asked in a real process: answers that are none, and an input that ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(path.resolve('src/cli/terminalAsk.ts')).href;
const program = `
import { terminalAsk } from ${JSON.stringify(source)};
const controller = new AbortController();
process.on('SIGINT', () => controller.abort(new RangeError('interrupted')));
const write = async (text) => void process.stdout.write(text);
const ask = terminalAsk({ paint: { bold: (text) => text }, out: write }, controller.signal);
const choices = [{ key: 'a', label: 'Accept' }, { key: 'b', label: 'Bug' }, { key: 's', label: 'Skip' }];
console.log('\\nanswer', await ask('Right?', choices).catch((error) => error.name));
`;

/** What the program prints that asks one question; typed is the first line and, once there is a hint, the second. */
async function asked(...typed: readonly string[]): Promise<string> {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
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
});
