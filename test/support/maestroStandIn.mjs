#!/usr/bin/env node
// Stands in for the program `maestro`, which needs devices: takes `test --format junit --output FILE flows…`, prints and writes what Maestro does.
// A comment in a flow says what becomes of it: `# stand-in: fails`, `# stand-in: fails once`, `# stand-in: hangs`, `# stand-in: broken`.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [command, ...rest] = process.argv.slice(2);
if (command !== 'test') process.exit(2);
const option = (name) => rest.splice(rest.indexOf(name), 2)[1];
const [format, output] = [option('--format'), option('--output')];
if (format !== 'junit') process.exit(2);
appendFileSync(path.resolve('starts.log'), `${rest.map((file) => path.basename(file)).join(' ')}\n`);
const flows = rest.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const broken = flows.find(({ text }) => text.includes('stand-in: broken'));
if (broken) {
  console.log(`> Invalid Command: ${path.basename(broken.file)}:3`);
  process.exit(1);
}
console.log('Waiting for flows to complete...');
const results = flows.map(({ file, text }) => {
  const name = /^name: (.*)$/m.exec(text.split('---')[0])?.[1] ?? path.basename(file).replace(/\.ya?ml$/, '');
  if (text.includes('stand-in: hangs')) setInterval(() => {}, 1000);
  const mark = `${file}.tried`;
  const once = text.includes('stand-in: fails once') && !existsSync(mark);
  if (once) writeFileSync(mark, '');
  const isRed = once || /stand-in: fails$/m.test(text);
  console.log(`[${isRed ? 'Failed' : 'Passed'}] ${name} (1s)`);
  return { file: path.relative(process.cwd(), file), name, isRed };
});
if (!flows.some(({ text }) => text.includes('stand-in: hangs'))) {
  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const cases = results.map(({ file, name, isRed }) => {
    const head = `    <testcase id="${escaped(name)}" name="${escaped(name)}" classname="${escaped(name)}" file="${escaped(file)}" time="1.5" timestamp="2026-01-01T00:00:00" status="${isRed ? 'ERROR' : 'SUCCESS'}"`;
    if (!isRed) return `${head}/>`;
    return `${head}>\n      <failure>Assertion is false: &quot;Cart &lt;1&gt;&quot; is visible</failure>\n    </testcase>`;
  });
  const failures = results.filter(({ isRed }) => isRed).length;
  const suite = `  <testsuite name="Test Suite" device="stand-in" tests="${results.length}" failures="${failures}" time="1.5">`;
  writeFileSync(
    output,
    `<?xml version='1.0' encoding='UTF-8'?>\n<testsuites>\n${suite}\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`,
  );
  process.exit(failures > 0 ? 1 : 0);
}
