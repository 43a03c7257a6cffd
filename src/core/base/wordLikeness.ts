// Tells how much a text reads like words, names and paths, by which character follows which.

/**
 * In bits: above 0 where the text is rather one of names and paths, below where each character is rather drawn by lot from the kinds that
 * the text has. It grows with the length.
 */
export function wordLikeness(text: string): number {
  const kinds = Array.from(text, kindOf);
  // Of each kind; few signs stand in names and paths.
  const sizes = [26, 26, 10, /[^\w/+=-]/.test(text) ? 12 : 2];
  const present = sizes.map((_, kind) => kinds.includes(kind));
  const all = sum(sizes.map((size, kind) => (present[kind] === true ? size : 0)));
  let bits = 0;
  for (let index = 1; index < text.length; index++) {
    const [before = 3, kind = 3] = [kinds[index - 1], kinds[index]];
    const row = kindAfter[before] ?? [];
    const possible = sum(row.map((share, other) => (present[other] === true ? share : 0)));
    bits += Math.log2((row[kind] ?? 0) / possible / ((sizes[kind] ?? 1) / all));
    // A capital letter behind a small one begins a word.
    if (before < 2 && kind < 2 && !(before === 0 && kind === 1))
      bits += Number(letterAfter[letterOf(text, index - 1)]?.charAt(letterOf(text, index))) - 4;
  }
  return bits;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const letterOf = (text: string, index: number): number => (text.charCodeAt(index) | 32) - 97;
/** Small letters, capitals, digits, everything else. */
const kindOf = (sign: string): number =>
  /[a-z]/.test(sign) ? 0 : /[A-Z]/.test(sign) ? 1 : /\d/.test(sign) ? 2 : 3;

// Counted in 7,800 names and paths of 20 characters and more from the sources of npm packages.
/** The share of each kind behind each. */
const kindAfter: readonly (readonly number[])[] = [
  [0.85, 0.086, 0.002, 0.062],
  [0.598, 0.343, 0.008, 0.052],
  [0.087, 0.023, 0.691, 0.198],
  [0.606, 0.146, 0.042, 0.206],
];
/** For each letter behind each (a to z): the logarithm of how many times oftener than by chance, and 4. */
const letterAfter: readonly string[] = [
  '05540140311645040556420122', // a
  '60106000440630410540600040', // b
  '50305005305500701535300020', // c
  '51037030602320530330410020', // d
  '42552320000446033665031420', // e
  '60105410700500600524400020', // f
  '40107233610315300442400030', // g
  '70007000500130600425400010', // h
  '43544340001436630455030103', // i
  '50007002412200410171242000', // j
  '52117341500303350142201010', // k
  '51046000631510620035520030', // l
  '64007200500241560040300000', // m
  '53555450401122520067330010', // n
  '23450320113467250634434110', // o
  '61046001401620640625500000', // p
  '00000000110210000210711001', // q
  '60337240503142600445320040', // r
  '40426304502201440067503030', // s
  '60207105700200520544301050', // t
  '34326150500645050656000100', // u
  '70007000600010300240101000', // v
  '51006003602005700460002100', // w
  '40505001400020170007000030', // x
  '42313200203556370042003002', // y
  '61117111411211211121711221', // z
];
