// Tells by its words whether what a name holds is a secret.

/**
 * How sure it is: `vague` names hold words of other kinds as often, as the tokens of a parser; `hinted` ones have the word, but another one
 * says what they are (`passwordHint`), or any key or code: only a value with the looks of a secret counts. What `worded` ones hold (`token`,
 * `pass`) is none where it reads like words.
 */
export const Sureness = { none: 0, vague: 1, hinted: 2, worded: 3, likely: 4, sure: 5 } as const;
export type Sureness = number;

/** As people of other languages write it, without accents. */
const passwords =
  'passwort kennwort losungswort passe contrasena parola senha wachtwoord haslo losenord adgangskode kodeord salasana sifre heslo jelszo пароль 密码 密碼 パスワード 비밀번호';
const sure = new Set(
  `password passwd passphrase pw pwd psw pswd secret token cred credential apikey ${plain(passwords)}`.split(
    ' ',
  ),
);
const likely = new Set(
  'pass requirepass passcode pin otp totp pat cvv cvc csc puk pem privkey seedphrase jwt auth authorization login logon signin authenticate mnemonic sid dsn salt pepper cookie csrf xsrf psk hmac bcrypt scrypt argon bearer'.split(
    ' ',
  ),
);
const vague = new Set(
  'token jwt auth authorization cookie pass pin pat pem csc sid salt pepper csrf xsrf psk hmac bcrypt scrypt argon bearer'.split(
    ' ',
  ),
);
/** As the last word: the name of other things as often, so that their words stay. */
const worded = new Set([
  ...[...vague].filter((word) => word !== 'authorization'),
  ...'login logon signin authenticate'.split(' '),
]);
/** Of any name that ends so. */
const hints = /(?:key|code|seed)$/i;
/** Behind the word they leave what the name is: its form, its part or its place. */
const tails = new Set(
  'value val string str text hash key input raw plain old new byte buffer hex base header env arg param info data config option opt setting list map set prod dev hashed encoded encrypted'.split(
    ' ',
  ),
);
const relations = new Set('for of from in by with to at on'.split(' '));
/** Whether there is one, not what it is. */
const flags = new Set('is has had no needs requires should can'.split(' '));
const pairs =
  /(?:^| )(?:pass phrase|pass code|pin code|(?:api|access|private|priv|account|signing|encryption|secret|session|license|licence|enc|wifi|hmac|master|deploy|aes|cipher|crypto|shared|ssh|rsa|subscription|webhook|service role) (?:key|hash)|(?:seed|recovery|backup|mnemonic|wallet) (?:phrase|word|code)|(?:security|card verification|verification|two factor|mfa|tfa|unlock) (?:code|pin)|(?:totp|otp|wallet|hd) seed|connection string|session id|sign in|log in|refresh token) /;

/** One of the words, or a part of one: most names have none, and need not be split. */
const mayTell = new RegExp(
  `[^\\u0000-\\u007F]|${[...sure, ...likely].filter((word) => /^[a-z]+$/.test(word)).join('|')}|key|hash|phrase|word|code|seed|string|session|sign|log`,
  'i',
);

/** Letters without their accents. */
function plain(text: string): string {
  return /[^\u0000-\u007F]/.test(text)
    ? text
        .normalize('NFKD')
        .replaceAll(/[\u0300-\u036F]|[łŁ]/g, (sign) => (/ł/i.test(sign) ? 'l' : ''))
        .normalize('NFC')
    : text;
}

function wordsOf(name: string): readonly string[] {
  return (
    plain(name)
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      // Scripts without blanks between words.
      .replaceAll(/密码|密碼|パスワード|비밀번호/g, ' $& ')
      .toLowerCase()
      .split(/[^\p{L}\p{M}ー]+/u)
      .filter((word) => word !== '')
      .map((word) => (/ss$|^.{1,3}$/.test(word) ? word : word.replace(/s$/, '')))
  );
}

/** Of a value right behind the name. */
export function surenessOf(name: string): Sureness {
  if (name.length > 80 || !mayTell.test(name)) return Sureness.none;
  const all = wordsOf(name);
  if (flags.has(all[0] ?? '')) return Sureness.none;
  // `passwordOfAda` is a password, and `connectWithPassword` takes one.
  const relation = all.findIndex((word, index) => index > 0 && relations.has(word));
  const heads = [all, ...(relation < 0 ? [] : [all.slice(0, relation)])].map(headOf);
  const found = Math.max(...heads.map((words) => surenessOfHead(words, /s$/i.test(name))));
  const hasHint = all.some(isSecretWord) || (all.length > 1 && hints.test(name));
  return found === Sureness.none && (hasHint || pairs.test(`${all.join(' ')} `)) ? Sureness.hinted : found;
}

function surenessOfHead(words: readonly string[], isPlural: boolean): Sureness {
  const last = words.at(-1) ?? '';
  const many = isPlural && !/^(?:cred|credential)$/.test(last);
  if (sure.has(last) && !worded.has(last) && !many) return Sureness.sure;
  if (!isSecretWord(last) && !isPair(words)) return Sureness.none;
  if (many && last === 'token') return Sureness.vague;
  return worded.has(last) ? Sureness.worded : Sureness.likely;
}

const isSecretWord = (word: string): boolean => sure.has(word) || likely.has(word);
const isPair = (words: readonly string[]): boolean => pairAtEnd.test(`${words.join(' ')} `);
const pairAtEnd = new RegExp(`(?:${pairs.source})$`);

/** Up to the word that says what it is: a `tokenValue` is a token, a `tokenType` is a type. */
function headOf(all: readonly string[]): readonly string[] {
  let length = all.length;
  while (length > 1 && !isPair(all.slice(0, length))) {
    const last = all[length - 1] ?? '';
    if (last.length > 1 && !tails.has(last)) break;
    length--;
  }
  return all.slice(0, length);
}

/** Of what stands in a list, a call or an object of that name. */
export function surenessWithin(name: string): Sureness {
  const found = surenessOf(name);
  if (found <= Sureness.hinted) return found;
  const telling = wordsOf(name).filter(isSecretWord);
  return telling.length > 0 && telling.every((word) => vague.has(word))
    ? Sureness.vague
    : Math.min(found, Sureness.likely);
}

/** No word and no sentence. */
export function looksLikeOne(text: string): boolean {
  return /^\S{6,}$/.test(text) && /[A-Za-z]/.test(text) && /\d|[a-z][A-Z]|\w[^\w\s]\w/.test(text);
}
