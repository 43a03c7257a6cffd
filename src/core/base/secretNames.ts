// Tells by its words whether what a name holds is a secret.

/** How sure it is: `vague` names hold words of other kinds as often, as the tokens of a parser. */
export const Sureness = { none: 0, vague: 1, likely: 2, sure: 3 } as const;
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
  'pass passcode pin otp totp jwt auth authorization login logon signin authenticate mnemonic sid dsn salt cookie csrf xsrf psk hmac bcrypt scrypt argon bearer'.split(
    ' ',
  ),
);
const vague = new Set(
  'token jwt auth authorization cookie pass pin sid salt csrf xsrf psk hmac bcrypt scrypt argon bearer'.split(
    ' ',
  ),
);
const surePair = /(?:^| )(?:api|access|private|account|signing|encryption|secret) (?:key|hash) $/;
const pairs =
  /(?:^| )(?:pass phrase|pass code|pin code|(?:api|access|private|account|signing|encryption|secret|session|license|licence|enc|wifi|hmac|master|deploy) (?:key|hash)|session id|totp seed|sign in|log in|refresh token) /;

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
  return plain(name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}ー]+/u)
    .filter((word) => word !== '')
    .map((word) => (/^(?:pass|address)$/.test(word) ? word : word.replace(/s$/, '')));
}

/** Of a value right behind the name. */
export function surenessOf(name: string): Sureness {
  if (name.length > 80) return Sureness.none;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const many = /s$/i.test(name) && !/^(?:cred|credential)$/.test(last);
  if ((sure.has(last) && !many) || surePair.test(`${words.join(' ')} `)) return Sureness.sure;
  if (pairs.test(`${words.join(' ')} `) || words.some((word) => sure.has(word) || likely.has(word)))
    return many && last === 'token' ? Sureness.vague : Sureness.likely;
  return Sureness.none;
}

/** Of what stands in a list, a call or an object of that name. */
export function surenessWithin(name: string): Sureness {
  const found = surenessOf(name);
  if (found === Sureness.none) return found;
  const telling = wordsOf(name).filter((word) => sure.has(word) || likely.has(word));
  return telling.length > 0 && telling.every((word) => vague.has(word)) ? Sureness.vague : Sureness.likely;
}

/** No word and no sentence. */
export function looksLikeOne(text: string): boolean {
  return /^\S{6,}$/.test(text) && /[A-Za-z]/.test(text) && /\d|[a-z][A-Z]|\w[^\w\s]\w/.test(text);
}
