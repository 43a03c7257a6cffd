// The machine's Python with pytest, and environments made of it without a network.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Absolute path of a python3 that has pytest and the packages; undefined where there is none, which fails with CI=true. */
export function pythonWith(...packages: readonly string[]): string | undefined {
  const imports = ['pytest', ...packages].map((name) => `import ${name}`).join('\n');
  try {
    const code = `${imports}\nimport sys\nprint(sys.executable)`;
    return execFileSync('python3', ['-c', code], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    if (process.env['CI'] === 'true') throw new Error(`python3 has no ${['pytest', ...packages].join(', ')}`);
    return undefined;
  }
}

/** Makes an environment that sees the packages of its Python; returns its program. */
export function makeEnvironment(python: string, folder: string, ...options: readonly string[]): string {
  execFileSync(python, ['-m', 'venv', '--without-pip', ...options, folder], { stdio: 'ignore' });
  return path.join(folder, 'bin/python');
}
