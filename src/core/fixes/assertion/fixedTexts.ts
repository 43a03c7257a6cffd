// What became of the fixed parts of a text that is put together, when the values between them reappear in the new one.

/** Of a template, an f-string, a `+` of texts: in the order in which they make up the text. */
type BuiltPart = { readonly kind: 'fixed'; readonly text: string } | { readonly kind: 'inserted' };

/** The new texts of the fixed parts, in order; undefined when there is more than one way, or none. */
export function newFixedTexts(
  parts: readonly BuiltPart[],
  expected: string,
  actual: string,
): string[] | undefined {
  const values = insertedValues(parts, expected);
  const occurrences = (text: string, value: string): number => text.split(value).length - 1;
  if (values === undefined || !parts.some((part) => part.kind === 'fixed')) return undefined;
  // "5" in "Total: 5" is not the same five in "Total: 55".
  if (values.some((value) => value === '' || occurrences(actual, value) !== occurrences(expected, value)))
    return undefined;
  const single = changeInOnePart(parts, values, expected, actual);
  if (single !== undefined) return single;
  // A run of fixed parts without a value between them has no border in the new text.
  if (parts.some((part, index) => part.kind === 'fixed' && parts[index + 1]?.kind === 'fixed'))
    return undefined;
  const texts: string[] = [];
  let position = 0;
  let afterValue = true;
  for (const part of parts) {
    if (part.kind === 'fixed') {
      afterValue = false;
      continue;
    }
    const value = values.shift() ?? '';
    if (occurrences(actual, value) !== 1) return undefined;
    const at = actual.indexOf(value, position);
    if (at < position || (afterValue && at !== position)) return undefined;
    if (!afterValue) texts.push(actual.slice(position, at));
    position = at + value.length;
    afterValue = true;
  }
  if (afterValue) return position === actual.length ? texts : undefined;
  return [...texts, actual.slice(position)];
}

/** The usual case: what differs lies inside one fixed part. */
function changeInOnePart(
  parts: readonly BuiltPart[],
  inserted: readonly string[],
  expected: string,
  actual: string,
): string[] | undefined {
  const values = [...inserted];
  let start = 0;
  while (start < expected.length && start < actual.length && expected[start] === actual[start]) start++;
  let end = 0;
  while (
    end < expected.length - start &&
    end < actual.length - start &&
    expected[expected.length - 1 - end] === actual[actual.length - 1 - end]
  )
    end++;
  let position = 0;
  let found = false;
  const texts: string[] = [];
  for (const part of parts) {
    const text = part.kind === 'fixed' ? part.text : (values.shift() ?? '');
    const from = position;
    position += text.length;
    if (part.kind !== 'fixed') continue;
    // The changed stretch may be moved over equal characters; inside the part is enough.
    if (!found && from <= start && expected.length - end <= position) {
      found = true;
      texts.push(
        text.slice(0, start - from) +
          actual.slice(start, actual.length - end) +
          text.slice(expected.length - end - from),
      );
    } else texts.push(text);
  }
  return found ? texts : undefined;
}

/** What the substitutions were when the test ran, if the fixed parts leave only one possibility. Linear in the text. */
export function insertedValues(parts: readonly BuiltPart[], expected: string): string[] | undefined {
  // The texts before, between and after the substitutions.
  const fixed = [''];
  for (const part of parts)
    if (part.kind === 'inserted') fixed.push('');
    else fixed.push((fixed.pop() ?? '') + part.text);
  const [prefix = '', ...rest] = fixed;
  const suffix = rest.pop();
  if (suffix === undefined) return expected === prefix ? [] : undefined;
  const isFramed = expected.startsWith(prefix) && expected.endsWith(suffix);
  if (!isFramed || expected.length < prefix.length + suffix.length || rest.includes('')) return undefined;
  const text = expected.slice(prefix.length, expected.length - suffix.length);
  const shortest = splitAt(rest, text, 'first');
  const longest = splitAt(rest, text, 'last');
  return JSON.stringify(shortest) === JSON.stringify(longest) ? shortest : undefined;
}

/** The pieces between the separators, each found at its first or its last place. */
function splitAt(separators: readonly string[], text: string, which: 'first' | 'last'): string[] | undefined {
  const pieces: string[] = [];
  let rest = text;
  for (const separator of which === 'first' ? separators : separators.toReversed()) {
    const at = which === 'first' ? rest.indexOf(separator) : rest.lastIndexOf(separator);
    if (at < 0) return undefined;
    const [before, after] = [rest.slice(0, at), rest.slice(at + separator.length)];
    pieces.push(which === 'first' ? before : after);
    rest = which === 'first' ? after : before;
  }
  pieces.push(rest);
  return which === 'first' ? pieces : pieces.toReversed();
}
