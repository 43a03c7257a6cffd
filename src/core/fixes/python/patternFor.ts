// The pattern for a message that changed, of one that was nothing but a text: `pytest.raises(ValueError, match="no such file")`.
import { refuse, type Refusal } from '../assertion/literalChange.ts';
import { patternOf, plainPattern } from '../assertion/plainPattern.ts';
import { textInside } from './textInside.ts';

/** Asks for the same part of the new message as of the old one; anchors stay, and have to hold. */
export function patternFor(message: string, pattern: string): string | Refusal {
  const plain = plainPattern(pattern);
  if (plain === undefined) return refuse('The message pattern is more than plain text.');
  const text = textInside(message, plain.text);
  if (typeof text !== 'string') return text;
  if ((plain.fromStart && !message.startsWith(text)) || (plain.toEnd && !message.endsWith(text)))
    return refuse('The message starts or ends differently than the pattern requires.');
  // Python has no slashes around its patterns.
  return patternOf({ ...plain, text }).replaceAll('\\/', '/');
}
