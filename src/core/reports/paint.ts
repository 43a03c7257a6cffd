// Colours for text terminals, and text from tests made safe to print on one.
import { stripAnsi } from '../failures/stripAnsi.ts';

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Paint = { readonly [Style in keyof typeof codes]: (text: string) => string };

/** Styles that colour, or that leave the text alone when `enabled` is false. */
export function createPaint(enabled: boolean): Paint {
  const style = (name: keyof typeof codes) => {
    const [open, close] = codes[name];
    return (text: string): string =>
      // A closing code inside the text would end the style early: it is opened again.
      enabled && text !== ''
        ? `\u001b[${open}m${text.replaceAll(`\u001b[${close}m`, `\u001b[${close}m\u001b[${open}m`)}\u001b[${close}m`
        : text;
  };
  return {
    bold: style('bold'),
    dim: style('dim'),
    inverse: style('inverse'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    blue: style('blue'),
    magenta: style('magenta'),
    cyan: style('cyan'),
  };
}

/** The text without escape sequences and control characters, so that no test can steer the terminal; keeps newlines and tabs. */
export function plainText(text: string): string {
  return stripAnsi(text)
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');
}

/** plainText on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s*\n\s*/g, ' ');
}

/** Cut in the middle with an ellipsis when longer than `width` characters; for unstyled text. */
export function shorten(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  if (width < 2) return '…'.slice(0, Math.max(0, width));
  const head = Math.ceil((width - 1) / 2);
  return (
    characters.slice(0, head).join('') +
    '…' +
    characters.slice(characters.length - (width - 1 - head)).join('')
  );
}

/** Cut at the end with an ellipsis when longer than `width` characters; for unstyled text. */
export function cutEnd(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : characters.slice(0, Math.max(0, width - 1)).join('') + '…';
}

/** Breaks lines at single blanks so that they stay within `width` where words allow it: of more in a row each counts. Lines that fit are left alone. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    if (Array.from(line).length <= width) return [line];
    const margin = /^ */.exec(line)?.[0] ?? '';
    const lines: string[] = [];
    let current = '';
    for (const word of line.trim().split(/(?<! ) (?! )/)) {
      if (current !== '' && margin.length + current.length + 1 + word.length > width) {
        lines.push(margin + current);
        current = word;
      } else {
        current = current === '' ? word : `${current} ${word}`;
      }
    }
    return [...lines, margin + current];
  });
}

/** `text` with every line indented by `by` spaces; empty lines stay empty. */
export function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}

/** `1 test`, `2 tests`. */
export function plural(count: number, one: string, many = one + 's'): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A duration in ms for people: `38 ms`, `1.24 s`, `2 m 05 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, '0')} s`;
}

/** A pass rate for people: `88.0 %`, or a dash when nothing counted. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${rate.toFixed(1)} %`;
}
