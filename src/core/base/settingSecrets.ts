// Finds the secrets in settings, addresses and bodies of requests, where a name stands on another line or in another place than right before its value.
import { looksRandom, looksUnlikeWords } from './entropy.ts';
import type { SecretPlace } from './knownSecrets.ts';
import { looksLikeOne } from './secretNames.ts';
import { tells } from './secretValues.ts';

const secretWord = '(?:passw(?:or)?d|passphrase|secret|token|api key|credentials?|pin|salt)\\b';
/** Up to another key of the same item of a list. */
const sameItem = String.raw`[ \t]*[,\n\r](?:(?!\n[ \t]*-|\bname:)[^{}]){0,200}?\b`;
const eol = String.raw`(?:\r?\n|\\r\\n|\\n)`;

/** `before` is kept; `name` tells, or `isOne` does. */
const patterns: readonly { readonly pattern: RegExp; readonly isOne?: (value: string) => boolean }[] = [
  // Kubernetes, GitHub, compose, Terraform: the name above the value, and below it.
  {
    pattern: new RegExp(
      String.raw`(?<before>\b(?:name|key)[ \t]*[:=][ \t]*["']?(?<name>[\w.-]{2,60})["']?[ \t]*${eol}[ \t]*-?[ \t]*value(?::[ \t]*["']?|[ \t]*=[ \t]*["']))(?<value>[^\s"'\\#]+)`,
      'g',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`(?<before>\bvalue:[ \t]*["']?)(?<value>[^\s"'\\#]+)(?=["']?[ \t]*${eol}[ \t]*name:[ \t]*["']?(?<name>[\w.-]{2,60}))`,
      'g',
    ),
  },
  // A variable of a scenario.
  {
    pattern: new RegExp(
      String.raw`(?<before>\bname:[ \t]*["']?(?<name>[\w.-]{2,60})["']?${sameItem}defaultValue:[ \t]*["']?)(?<value>[^\s"',{}#\\]{3,})`,
      'g',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`(?<before>\bdefaultValue:[ \t]*["']?)(?<value>[^\s"',{}#\\]{3,})(?=["']?${sameItem}secret:[ \t]*true\b)`,
      'g',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`(?<before>\bsecret:[ \t]*true${sameItem}defaultValue:[ \t]*["']?)(?<value>[^\s"',{}#\\]{3,})`,
      'g',
    ),
  },
  // Dockerfile, and systemd.
  {
    pattern:
      /(?<before>\b(?:ENV|ARG|Environment=)[ \t]*["']?(?<name>[A-Za-z_]\w{1,60})[ \t=]["']?)(?<value>[^\s"'\\]{3,})/g,
  },
  // The default of a shell, a variable of Robot Framework.
  { pattern: /(?<before>\$\{(?<name>[A-Za-z_]\w{1,60}):?[-=])(?<value>[^\s"'`{}$\\]{3,})(?=\})/g },
  { pattern: /(?<before>^\$\{(?<name>[\w ]{2,60})\}[ \t]?=?(?:[ ]{2,20}|\t))(?<value>[^\s{}]{3,})/gm },
  // RSpec and Capybara.
  {
    pattern: /(?<before>\blet!?\(:(?<name>\w{2,60})\)\s{0,9}(?:\{|do)\s{0,9}["'])(?<value>[^"'\n\\]{3,})/g,
  },
  {
    pattern:
      /(?<before>\bfill_in[ (]["':](?:[\w ]{0,40} )?(?<name>[\w.-]{2,60})["']?,\s{0,9}with:\s{0,9}["'])(?<value>[^"'\n\\]{3,})/g,
  },
  // A cookie of Go, and the header of one.
  {
    pattern: /(?<before>\bName:\s{0,9}"(?<name>[\w.-]{2,60})",\s{1,40}Value:\s{0,9}")(?<value>[^"\n\\]{3,})/g,
  },
  {
    pattern: /(?<before>["']cookie["'],\s{0,9}["'](?<name>[\w.-]{2,60})=)(?<value>[^\s"';\\]{6,})/gi,
  },
  // Terraform.
  {
    pattern:
      /(?<before>\bvariable\s+\\?"(?<name>[\w-]{2,60})\\?"\s*\{[^{}]{0,300}?\bdefault\s*=\s*\\?")(?<value>[^"\n\\]+)/g,
  },
  // A property of XML by its attribute.
  {
    pattern:
      /(?<before><[\w:.-]{1,40}\s[^<>]{0,200}?\b(?:name|key)=\\?["'](?<name>[\w.-]{2,60})\\?["'][^<>]{0,200}>)(?<value>[^<>\n]{3,300})(?=<\/)/g,
  },
  // A variable of an environment that is some key.
  {
    pattern: /(?<before>\b[A-Z][A-Z\d_]{0,40}_(?:KEY|SALT|PASS|DSN|SEED)=["']?)(?<value>[^\s"'`;&\\]{6,})/g,
    isOne: looksLikeOne,
  },
  // An anchor of YAML, a Secret of Kubernetes, a comment behind the value.
  { pattern: /(?<before>(?<![&\w])&(?<name>[\w-]{2,40})[ \t]+)(?<value>[^\s"'`,;)#]{6,})/g },
  {
    pattern:
      /(?<before>\b[\w.-]{1,40}:[ \t]+)(?<value>[^\s"'`\\]{6,})(?<=\bstringData:(?:(?!\bkind:)[\s\S]){0,300})/g,
  },
  {
    pattern: new RegExp(
      String.raw`(?<before>["'\x60])(?<value>[^\s"'\x60]{8,100})(?=["'\x60][^\n"'\x60]{0,20}(?://|#)[^\n]{0,80}\b${secretWord})`,
      'gi',
    ),
    isOne: looksUnlikeWords,
  },
  // A field of a form.
  {
    pattern: new RegExp(
      String.raw`(?<before>\bname=\\?"(?<name>[\w.-]{2,60})\\?"[^\n\\]{0,200}${eol}(?:[\w-]{1,40}:[^\n\\]{0,200}${eol}){0,3}${eol})(?<value>[^\r\n\\]+)`,
      'g',
    ),
  },
  // The query of an address, or a body in its form.
  {
    pattern: /(?<before>(?:[?&#;]|\b)(?<name>[\w-]{2,40})=)(?<value>[\w%+/.~:@!$*-]{6,}=*)/g,
    isOne: looksLikeOne,
  },
  // A token in the place of a user.
  {
    pattern: /(?<before>:\/\/)(?<value>[^\s/:@"'`<>]{8,})(?=(?::x-oauth-basic)?@[\w.-])/g,
    isOne: (value) => /\d/.test(value) && looksLikeOne(value),
  },
  // A line of settings without quotes: YAML, properties, INI.
  {
    pattern:
      /(?<=^|\\n)(?<before>[ \t+-]*(?<name>[\w.-]{2,60})[ \t]?(?:[:=]|\?=)[ \t]*)(?<value>[^\s"'`,;(){}[\]\\]{3,})(?=[ \t]*(?:#|\\n|\r?$))/gm,
    isOne: (value) =>
      /^\d{3,}$/.test(value) ||
      (looksLikeOne(value) && !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)),
  },
  // Of services that give their tokens a word in front, which the rules of gitleaks lack.
  {
    pattern:
      /(?<![\w-])(?<value>(?:sbp|sb_secret|gsk|r8|nvapi|tvly|xai|pplx|lin_api|lin_oauth|pscale_\w{2,6}|dckr_pat|figd|ntn|sntry[su]|phx|phs|tskey(?:-\w{2,8})?|PMAK|rnd|CFPAT|ATATT3\w{2}|ATCTT3\w{2}|BBDC|nfp|vc[a-z]|cio|lsv2_[ps][tk]|e2b|jina|sgp|pat|re|key|api|tok|token|secret|live|test|prod|sk|rk)[-_][A-Za-z\d_-]{16,})/g,
    isOne: (value) => isUnlikeWords(value.replace(/^[A-Za-z\d]{1,10}[-_](?:[a-z]{2,6}[-_])?/, '')),
  },
];

/** Digits among letters of hex or of both cases, and nothing that reads like names. */
const isUnlikeWords = (tail: string): boolean =>
  looksRandom(tail) || /^(?=.*\d)(?=.*[a-f])[\da-f]{20,}$/.test(tail);

/** Each pattern begins with what few other texts have, or ends within a line. */
export function* settingSecrets(text: string): Generator<SecretPlace> {
  for (const { pattern, isOne } of patterns)
    for (const { index, groups = {} } of text.matchAll(pattern)) {
      const { before = '', name, value = '' } = groups;
      if ((name !== undefined && !tells(`its_${name}`, value)) || isOne?.(value) === false) continue;
      // `?key=` is that of something.
      const start = index + before.length;
      yield { start, end: start + value.length };
    }
}
