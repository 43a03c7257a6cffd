// How scripts start node's test runner through borp, and what of its words and its configuration counts for a run.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readYaml } from '../readYaml.ts';
import type { ShellWord } from '../shellWords.ts';
import type { FrameworkStart, TestCommand } from '../testScripts.ts';
import type { NodeTestCommand } from './nodeTestStart.ts';

export const borpStart: FrameworkStart = {
  isStart: (word) => /^borp$|[\\/]borp(?:\.js)?$/.test(word),
  anyScript: true,
};

/** Options that take the next word when they have no `=`; what they say of coverage and reports is left out. */
const takesValue =
  /^(?:-[pctXir]|--(?:pattern|concurrency|timeout|coverage-exclude|ignore|reporter|lines|branches|functions|statements))$/;

/** Its limit of 30 s for a file is left out: that of the run counts. */
export function readBorpCommand({ words, nodeFlags, env }: TestCommand): NodeTestCommand {
  const flags = [...nodeFlags];
  const targets: ShellWord[] = [];
  let isSerial = false;
  const target = (text: string): ShellWord => ({ text, glob: false, computed: false });
  for (let at = 0; at < words.length; at++) {
    const [, name = '', inline] = /^([^=]*)(?:=(.*))?$/s.exec(words[at]?.text ?? '') ?? [];
    if (!name.startsWith('-')) {
      targets.push(target(words[at]?.text ?? ''));
      continue;
    }
    const value = takesValue.test(name) ? (inline ?? words[++at]?.text ?? '') : '';
    if (/^(?:-p|--pattern)$/.test(name)) targets.push(target(value));
    else if (/^(?:-i|--ignore)$/.test(name)) targets.push(target(`!${value}`));
    else if (/^(?:-c|--concurrency)$/.test(name)) isSerial ||= value === '1';
    else if (/^(?:-o|--only)$/.test(name)) flags.push('--test-only');
    else if (name === '--expose-gc') flags.push(name);
  }
  return { flags, env, targets, isSerial, notes: [], runner: 'borp' };
}

/** What it runs in the folder where the script names nothing: the `files` of its configuration, else `*.test.*` anywhere. */
export function borpTargets(folder: string): readonly ShellWord[] {
  const files = ['.borp.yaml', '.borp.yml'].flatMap((name) => filesIn(path.join(folder, name))).slice(0, 200);
  const patterns = files.length > 0 ? files : ['**/*.test.{js,mjs,cjs,ts,mts,cts}'];
  return patterns.map((text) => ({ text, glob: false, computed: false }));
}

function filesIn(file: string): readonly string[] {
  try {
    const files = readYaml(readFileSync(file, 'utf8')).values.get('files');
    return Array.isArray(files) ? files.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
