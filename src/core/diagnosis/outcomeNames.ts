// What a name says of the value under it: whether something succeeded, that something went wrong, how much there is.

/** `status`, `exitCode`, `status_code`, `wantCode`, `rc`; not `zipCode`. */
export function isCodeName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (/^(?:status|rc|errno|retcode|returncode|exitcode|statuscode|exitstatus)$/.test(last)) return true;
  return last === 'code' && words.slice(0, -1).every((word) => beforeCode.has(word));
}

/** Words before `code` that say of what it is one. */
const beforeCode: ReadonlySet<string> = new Set(
  (
    'http exit return ret error err status response resp res result want wanted got expect expected exp actual ' +
    'process proc command cmd last final'
  ).split(' '),
);

/** Where a text may tell of success: `status`, `state`, `outcome`, `orderState`. */
export const tellsOutcome = (name: string): boolean =>
  isCodeName(name) || /^(?:state|outcome|result)$/.test(wordsOf(name).at(-1) ?? '');

/** `errors`, `problemCount`, `isInvalid`, `lastError`. */
export const isTroubleName = (name: string): boolean => wordsOf(name).some((word) => trouble.test(word));

const trouble =
  /^(?:err(?:or)?s?|problems?|issues?|fail(?:s|ed|ures?)?|warnings?|warns?|invalid|violations?|exceptions?|faults?|stderr|crash(?:es|ed)?|rejected|rejections?|denied|conflicts?)$/;

/** `length`, `itemCount`, `len`, `qsize`. */
export const isSizeName = (name: string): boolean =>
  /^(?:len|cap|length|q?size|count)$/.test(wordsOf(name).at(-1) ?? '');

/** `hitRate`, `share`, `probability`. */
export const isShareName = (name: string): boolean =>
  /^(?:rate|ratio|share|fraction|proportion|probability|likelihood|confidence|similarity|coverage)$/.test(
    wordsOf(name).at(-1) ?? '',
  );

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/**
 * The names that an expression asks for last, read from its text in JavaScript, Python or Go: `status` of `(await get("a")).status`,
 * `r["status"]` and `r.get("status")`, `main` of `main(["x"])`; arguments of calls are none.
 */
export function askedNames(source: string): readonly string[] {
  if (source.length > 2000) return [];
  let text = source
    .replace(/(?:\?\.|!\.)/g, '.')
    .replace(/\.?\[\s*(["'`])(\w+)\1\s*\]|\.get\(\s*(["'`])(\w+)\3\s*\)/g, (_all, _q, key, _p, got) =>
      typeof key === 'string' ? `.${key}` : `.${String(got)}`,
    )
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '');
  for (let before = ''; before !== text;) {
    before = text;
    text = text
      .replace(/([\w\])])(?:\([^()]*\)|\[[^[\]]*\])/g, '$1')
      .replace(/\.(?:to(?:String|Number|JSON)|Load|String|Int64|Value)\b/g, '');
  }
  return [...text.matchAll(/[\w$][\w$.]*|\.[\w$.]+/g)]
    .map(([chain]) => chain.split('.').at(-1) ?? '')
    .filter((name) => name !== '' && !/^(?:await|new|not|typeof|\d.*)$/.test(name));
}
