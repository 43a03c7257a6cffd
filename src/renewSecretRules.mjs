// Writes src/core/base/gitleaksRules.ts from the rules of gitleaks: `node src/renewSecretRules.mjs [version]`. Needs go and python3.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const target = path.join(path.dirname(fileURLToPath(import.meta.url)), 'core/base/gitleaksRules.ts');
const go = JSON.parse(
  execFileSync(
    'go',
    ['mod', 'download', '-json', `github.com/zricethezav/gitleaks/v8@${process.argv[2] ?? 'latest'}`],
    {
      encoding: 'utf8',
      cwd: '/',
    },
  ),
);
const read = 'import json, sys, tomllib; json.dump(tomllib.load(open(sys.argv[1], "rb")), sys.stdout)';
const config = path.join(go.Dir, 'config/gitleaks.toml');
const { rules } = JSON.parse(execFileSync('python3', ['-c', read, config], { encoding: 'utf8' }));

/** Left out: a name of a key decides (redactSecrets.ts has more of them), or JavaScript would take more than linear time for it. */
const leftOut = new Set([
  'generic-api-key',
  'curl-auth-header',
  'curl-auth-user',
  'hashicorp-tf-password',
  'kubernetes-secret-yaml',
  'private-key',
]);
/** What stands before the name of a service says nothing, and what follows a token may be anything but more of it. */
const head = String.raw`[\w.-]{0,50}?`;
const tail = String.raw`(?:[\x60'"\s;]|\\[nr]|$)`;

const lines = rules
  .filter(({ id, regex }) => regex !== undefined && !leftOut.has(id))
  .map(({ id, regex, entropy = 0, keywords }) => {
    const near = regex.includes(head);
    const text = regex.replaceAll(head, '').replaceAll(tail, near ? tail : String.raw`(?!\w)`);
    const pattern = forJavaScript(text);
    if (pattern.includes('`')) throw new Error(`${id}: a backtick`);
    return [id, entropy, keywords.join(','), new RegExp(pattern).source].join('\t');
  });
await writeFile(
  target,
  `/*! Rules of gitleaks ${go.Version} (config/gitleaks.toml), MIT License, Copyright (c) 2019 Zachary Rice. Made by src/renewSecretRules.mjs. */

/** One a line: id, least entropy of the secret in bits a character, words of which one is in the text, and the pattern; the first group that took part is the secret. */
export const gitleaksRules = String.raw\`
${lines.join('\n')}
\`;
`,
);
console.log(`${lines.length} of ${rules.length} rules of gitleaks ${go.Version}`);

/** RE2's syntax in that of every Node: there are no flags inside of a pattern, so letters stand in both cases. */
function forJavaScript(source) {
  let at = 0;
  const both = (from, to = from) => {
    const own = from === to ? from : `${from}-${to}`;
    if (/^[a-z]-[a-z]$|^[a-z]$/.test(own)) return own + own.toUpperCase();
    if (/^[A-Z]-[A-Z]$|^[A-Z]$/.test(own)) return own + own.toLowerCase();
    return own;
  };
  const group = (outer, close) => {
    let [cases, dot] = outer;
    let result = '';
    while (at < source.length && source[at] !== close) {
      const rest = source.slice(at);
      const flags = /^\(\?(-?)([is])([:)])/.exec(rest);
      const named = /^\(\?P<\w+>/.exec(rest);
      if (flags !== null) {
        at += flags[0].length;
        const now = flags[2] === 'i' ? [flags[1] === '', dot] : [cases, flags[1] === ''];
        if (flags[3] === ')') [cases, dot] = now;
        else result += `(?:${group(now, ')')}`;
      } else if (named !== null) {
        at += named[0].length;
        result += `(?:${group([cases, dot], ')')}`;
      } else if (/^\((?:\?:)?/.test(rest)) {
        const [open] = /^\((?:\?[:=!])?/.exec(rest);
        at += open.length;
        result += open + group([cases, dot], ')');
      } else if (rest.startsWith('[')) result += charClass(cases);
      else if (rest.startsWith('\\z')) [result, at] = [`${result}(?![\\s\\S])`, at + 2];
      else if (rest.startsWith('\\')) {
        const [escape] = /^\\(?:x[\da-f]{2}|.)/i.exec(rest);
        result += escape;
        at += escape.length;
      } else {
        const one = source[at++];
        result += one === '.' && dot ? '[\\s\\S]' : cases && /[a-z]/i.test(one) ? `[${both(one)}]` : one;
      }
    }
    if (close === undefined) return result;
    at++;
    return result + close;
  };
  const charClass = (cases) => {
    const [, not, body] = /^\[(\^?)((?:\[:\w+:\]|\\.|[^\]\\])+)\]/.exec(source.slice(at));
    at += body.length + not.length + 2;
    const items = body
      .replace('[:alnum:]', 'A-Za-z0-9')
      .match(/\\x[\da-f]{2}|\\.|[^\\]-[^\\]|[^\\]/gi)
      .map((item) => (cases && /^[a-z](?:-[a-z])?$/i.test(item) ? both(item[0], item.at(-1)) : item));
    return `[${not}${items.join('')}]`;
  };
  return group([false, false]);
}
