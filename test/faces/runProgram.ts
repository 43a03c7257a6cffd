// Runs a program of Node to its end and keeps what it said, with everything that is new in each run taken out.
import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Answer } from './differences.ts';

export function runProgram(
  words: readonly string[],
  root: string,
  env: Readonly<Record<string, string>>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: settled(stdout, root), stderr: settled(stderr, root) }),
    );
  });
}

/** Without times, dates, folders and made ids. */
function settled(text: string, root: string): string {
  return text
    .replaceAll(root, '<root>')
    .replaceAll(path.dirname(root), '<parent>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<date>')
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s|min)\b/g, '<time>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|(?<![\d.])\b(?=\d*[a-f])[0-9a-f]{12,64}\b/g, '<id>');
}
