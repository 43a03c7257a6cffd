// What went wrong, in the words of Go: messages with their places, panics, builds that fail.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RawFailure } from '../../model/reporterMessage.ts';

/** `    cart_test.go:12: message`, with further lines indented deeper. */
const entry = /^\s*([^\s:]+\.go):(\d+): ?(.*)$/;

/** Of a test that failed, from all it printed. */
export function testFailure(output: string, folder: string, root: string): RawFailure {
  const panic = /^(?:panic|fatal error): [^]*/m.exec(output)?.[0];
  if (panic !== undefined) return panicFailure(panic, root);
  const example = /^got:\n([^]*)\nwant:\n([^]*)$/.exec(output.trim());
  if (example) return { message: output.trim(), actual: example[1] ?? '', expected: example[2] ?? '' };
  const entries = entriesOf(output);
  const told = entries.length > 0 ? entries : [];
  // What is logged looks like what fails: the last message that compares something counts, else the last one.
  const compared = told.map((one) => ({ ...one, values: valuesIn(one.text) }));
  const main = compared.findLast(({ values }) => values) ?? compared.at(-1);
  const lines = compared.length > 10 ? compared.slice(-10) : compared;
  const message = lines
    .map(({ text }) => text.trimEnd())
    .join('\n')
    .trim();
  const frames = [...(main ? [main] : []), ...compared.filter((one) => one !== main).reverse()];
  const stack = frames.map(({ file, line }) => `    at ${placeOf(file, folder)}:${line}:1`).join('\n');
  return {
    message: message === '' ? output.trim().slice(-2000) || 'It failed without giving a reason.' : message,
    ...(stack !== '' && { stack }),
    ...main?.values,
  };
}

interface Entry {
  readonly file: string;
  readonly line: string;
  readonly text: string;
}

function entriesOf(output: string): readonly Entry[] {
  const entries: { file: string; line: string; text: string }[] = [];
  for (const line of output.split('\n')) {
    const found = entry.exec(line);
    const last = entries.at(-1);
    if (found) entries.push({ file: found[1] ?? '', line: found[2] ?? '1', text: found[3] ?? '' });
    else if (last && /^\s{8}/.test(line)) last.text += `\n${line.slice(8)}`;
  }
  return entries;
}

/** Only where it is certain which is which: testify's own words, or one `got` with one `want`. */
function valuesIn(text: string): { readonly expected: string; readonly actual: string } | undefined {
  const testify = /^\s*(?:Error:\s+Not equal:\s*\n)\s*expected\s*: (.*)\n\s*actual\s*: (.*)$/m.exec(text);
  if (testify) return { expected: testify[1] ?? '', actual: testify[2] ?? '' };
  if (text.includes('\n') || (text.match(/\bwant(?:ed)?\b/g)?.length ?? 0) !== 1) return undefined;
  const plain = /(?:\s=|\bgot[:=]?)\s+(.+?)[,;]?\s+want(?:ed)?[:=]?\s+(.+?)\.?$/.exec(text);
  return plain ? { expected: plain[2] ?? '', actual: plain[1] ?? '' } : undefined;
}

/** The goroutine that panicked, without the others and without Go's own functions. */
function panicFailure(text: string, root: string): RawFailure {
  const [head = '', first = ''] = text.split(/^goroutine \d+.*:$/m);
  const message = head
    .trim()
    .replace(/ \[recovered(?:, repanicked)?\]/, '')
    .replace(/\n\s*panic: [^]*$/, '');
  const placesIn = (part: string): readonly RegExpExecArray[] =>
    Array.from(part.matchAll(/^\t(.+\.go):(\d+)(?: \+0x[\da-f]+)?$/gm));
  const ownIn = (part: string): readonly RegExpExecArray[] =>
    placesIn(part).filter(([, file = '']) => file.startsWith(root + path.sep));
  const places = placesIn(first);
  // At a time limit the first one is the alarm's own.
  const own = ownIn(first).length > 0 ? ownIn(first) : ownIn(text).slice(0, 3);
  const stack = (own.length > 0 ? own : places)
    .slice(0, 30)
    .map(([, file = '', line = '1']) => `    at ${file}:${line}:1`)
    .join('\n');
  return { message, ...(stack !== '' && { stack }) };
}

/** Of tests that did not run, or did not end, because their package stopped before. */
export function stopFailure(
  output: string,
  { hasFailed, isSilent }: { readonly hasFailed: boolean; readonly isSilent: boolean },
): RawFailure {
  const cause = /^(?:panic|fatal error): .*$/m.exec(output)?.[0].replace(/ \[recovered.*?\]$/, '');
  if (cause !== undefined) return { message: `It did not finish: the package stopped with "${cause}".` };
  if (isSilent && !hasFailed) return { message: 'The package passed, but none of its tests ran.' };
  const said = output.trim().slice(-1000);
  return {
    message: `It did not finish: its process exited first.${said === '' ? '' : `\n${said}`}`,
  };
}

/** Of the files of a package that does not build; at the first place that is named. */
export function buildFailure(text: string, folder: string, root: string): RawFailure {
  const message = text.replace(/^# .*\n/gm, '').trim();
  const places = Array.from(message.matchAll(/^\s*(?:vet: )?([^\s:]+\.go):(\d+):(\d+)/gm));
  const stack = places
    .map(([, file = '', line = '1', column = '1']) => {
      const inRoot = path.resolve(root, file);
      return `    at ${existsSync(inRoot) ? inRoot : placeOf(file, folder)}:${line}:${column}`;
    })
    .join('\n');
  return { message: `The package does not build:\n${message}`, ...(stack !== '' && { stack }) };
}

const placeOf = (file: string, folder: string): string =>
  path.isAbsolute(file) ? file : path.join(folder, file);
