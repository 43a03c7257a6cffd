// The text to write into `dedent("""…""")` so that it becomes another one, with the margin and the ends that stand there.
import { marginOf } from '../../syntax/python/wrappedText.ts';

/** Undefined where the written text has another form than such a one, or the new one cannot be had in it. */
export function wrapText(written: string, now: string, made: (text: string) => string): string | undefined {
  const margin = marginOf(written);
  const heads = [/^[ \t]*\n/.exec(written)?.[0] ?? '', ''];
  const tails = [/\s*$/.exec(written)?.[0] ?? '', /[ \t]*$/.exec(written)?.[0] ?? '', ''];
  for (const head of heads)
    for (const tail of tails) {
      const form = (text: string): string => head + text.replaceAll(/^(?=[^\n])/gm, () => margin) + tail;
      if (form(made(written)) === written && made(form(now)) === now) return form(now);
    }
  return undefined;
}
