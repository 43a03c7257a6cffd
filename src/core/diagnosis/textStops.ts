// Signs that a changed text is a bug: what it says is the same but for something that code easily loses.

/** Reasons for two texts that differ, one sentence each. */
export function textStops(was: string, is: string): readonly string[] {
  if (was === is) return [];
  const reasons: string[] = [];
  if (unescaped(was) === unescaped(is) && rawSigns(is) > rawSigns(was))
    reasons.push('The text is no longer escaped: it contains raw HTML characters.');
  if (withoutEdges(was) === withoutEdges(is))
    reasons.push('Only whitespace at the start or end of the text differs: a lost trim() does the same.');
  const [before, after] = [signs(was), signs(is)];
  if (withoutSigns(was) === withoutSigns(is) && before.some((sign, index) => sign !== after[index]))
    reasons.push('The number changed its sign.');
  return reasons;
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&apos;': "'",
  '&amp;': '&',
};

const unescaped = (text: string): string =>
  text.replace(
    /&(?:lt|gt|quot|apos|amp|#34|#39|#x27);/gi,
    (entity) => entities[entity.toLowerCase()] ?? entity,
  );

const rawSigns = (text: string): number => text.match(/[<>"']|&(?!\w+;|#\w+;)/g)?.length ?? 0;

/** Ends of lines stay: with and without one are two ways to write a file. */
const withoutEdges = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

/** A minus that no word, number or date stands before. */
const number = /(?<![\w.-])(-?)(\d[\d.,]*)/g;

const signs = (text: string): readonly string[] => [...text.matchAll(number)].map(([, sign = '']) => sign);

/** Columns move with the sign. */
const withoutSigns = (text: string): string =>
  text
    .replace(number, '$2')
    .replace(/[ \t]+/g, ' ')
    .trim();
