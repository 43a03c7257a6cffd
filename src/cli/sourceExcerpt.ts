// The source change that a changed expectation comes from, as a few lines beside it.
import type { Fix } from '../core/model/fix.ts';
import { cutEnd, plainText } from '../core/reports/paint.ts';
import type { TextStyle } from '../core/reports/fixText.ts';

const maximumLines = 8;

/** The place and the excerpt, removed and added lines coloured; indented by two. */
export function codeExcerpt(change: NonNullable<Fix['sourceChange']>, { paint, width }: TextStyle): string {
  const lines = plainText(change.excerpt).trimEnd().split('\n');
  const shown = lines.slice(0, maximumLines).map((line) => {
    const cut = cutEnd(line, width - 2);
    if (line.startsWith('-')) return `  ${paint.red(cut)}`;
    return line.startsWith('+') ? `  ${paint.green(cut)}` : `  ${paint.dim(cut)}`;
  });
  const rest = lines.length - shown.length;
  return [
    paint.dim(`  because of ${change.location.file}:${change.location.line}`),
    ...shown,
    ...(rest > 0 ? [paint.dim(`  … ${rest} more lines`)] : []),
  ].join('\n');
}
