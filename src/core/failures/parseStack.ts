// Reads the frames of a stack as V8 or Python print it, with files as absolute paths.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ParsedFrame {
  /** Function name, empty when unknown. */
  readonly name: string;
  /** Absolute path, or what else the frame names (`node:internal/…`, a URL). */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** Every frame with a line, the innermost first; frames of eval, of natives and of no file are left out. */
export function parseStack(stack: string): readonly ParsedFrame[] {
  if (/^\s*File "/.test(stack)) return parseTraceback(stack);
  return stack.split('\n').flatMap((line) => {
    const text = /^\s*at (.*)$/.exec(line)?.[1]?.trimEnd();
    if (text === undefined || /^eval at |\(eval at /.test(text)) return [];
    const named = /^(?:async )?(.*?) \((.*:\d+:\d+)\)$/.exec(text);
    const place = /^(.*):(\d+):(\d+)$/.exec(named?.[2] ?? text.replace(/^async /, ''));
    const file = place?.[1];
    if (file === undefined || file === '' || file === '<anonymous>') return [];
    return [
      { name: named?.[1] ?? '', file: frameFile(file), line: Number(place?.[2]), column: Number(place?.[3]) },
    ];
  });
}

/** `File "/a.py", line 3, in test_a`; Python prints the innermost frame last, and no columns. */
function parseTraceback(stack: string): readonly ParsedFrame[] {
  return [...stack.matchAll(/^[ \t]*File "([^"\n]+)", line (\d+)(?:, in (.*))?$/gm)]
    .filter(([, file = '']) => !file.startsWith('<'))
    .map(([, file = '', line, name = '']) => ({
      name: name === '<module>' ? '' : name,
      file: frameFile(file),
      line: Number(line),
      column: 1,
    }))
    .reverse();
}

/** `file:` URLs and vite's `/@fs/` become paths; cache-busting queries go. */
export function frameFile(file: string): string {
  if (file.startsWith('file:')) {
    try {
      return fileURLToPath(file);
    } catch {
      return file;
    }
  }
  if (/^(?:node:|webpack:)/.test(file)) return file;
  const served = /^https?:\/\/[^/]+\/@fs(\/.*)$/.exec(file)?.[1];
  const plain = (served ?? file)
    .replace(/^\/@fs(?=\/)/, '')
    .replace(/\?(?:[vt]=|import\b|vitest=|mock=|update=)[^/\\]*$/, '');
  // `/C:/x` comes from URLs on Windows.
  return path.isAbsolute(plain) ? path.normalize(plain.replace(/^\/(?=[A-Za-z]:[\\/])/, '')) : plain;
}
