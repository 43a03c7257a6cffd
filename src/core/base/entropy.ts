// Tells random texts, as keys are, from words, paths, numbers and the hashes that every repository is full of.

/** Shannon's, in bits. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** MD5, SHA-1 (commits), SHA-256, SHA-384, SHA-512. */
const hashLengths = new Set([32, 40, 64, 96, 128]);

/** `text`: one run of letters, digits and `+/_=-`; as detect-secrets and gitleaks' generic rule see it, but under any name. */
export function looksRandom(text: string): boolean {
  if (text.length < 20 || !/\d/.test(text) || !/[A-Za-z]/.test(text) || uuid.test(text)) return false;
  const hex = /^[\da-f]+$|^[\dA-F]+$/.test(text);
  if (hex && hashLengths.has(text.length)) return false;
  if (bitsPerCharacter(text) < (hex ? 3 : 3.7) || changesOfKind(text) < 0.28 * text.length) return false;
  // Names as newFloat32SliceValue change a lot and hold whole words.
  return !/[A-Z]/.test(text) || (text.match(/[A-Z]?[a-z]{3,}/g) ?? []).join('').length < text.length / 2;
}

/** The same of a shorter one, 12 to 19 letters and digits of all three kinds: where no words are to be seen. */
export function looksShuffled(text: string): boolean {
  if (!/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{12,19}$/.test(text)) return false;
  if (bitsPerCharacter(text) < 3 || changesOfKind(text) < 0.3 * text.length) return false;
  return (text.match(/[A-Z]?[a-z]{3,}/g) ?? []).join('').length < text.length / 3;
}

/** Words keep to one kind of characters for a while: a capital letter belongs to what follows it. */
function changesOfKind(text: string): number {
  return (text.match(/[a-z](?=[A-Z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])|[A-Z](?=[A-Z][a-z])/g) ?? []).length;
}
