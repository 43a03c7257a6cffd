// Finds the module specifiers in the text of a JavaScript or TypeScript file without parsing it.

export interface ScannedSpecifiers {
  /** Specifiers of import, export, require, dynamic import, import types, module mocks and `new URL('…', import.meta.url)`. */
  readonly modules: readonly string[];
  /** Other strings that look like the path of a file: what a test starts or reads. */
  readonly paths: readonly string[];
  /** Literal beginnings of specifiers that only a run knows in full (`./plugins/`); empty text where nothing is known. */
  readonly open: readonly string[];
  /** Absent where nothing is started. */
  readonly starts?: ProgramStarts;
}

/** Programs that a file starts: files of the workspace that run then. */
export interface ProgramStarts {
  /** Paths as the text tells them, absolute or relative to wherever it is started; `from` where that is known, absolute. */
  readonly files: readonly { readonly written: string; readonly from?: string }[];
  /** Modules that `python -m` runs. */
  readonly modules?: readonly string[];
  /** There may be others, of which the text does not tell for certain. */
  readonly isUnknown: boolean;
}

/** Every literal specifier, in order and without duplicates; comments and strings are skipped. Takes linear time. */
export function scanSpecifiers(text: string): ScannedSpecifiers {
  const found = new Set<string>();
  const paths = new Set<string>();
  const open = new Set<string>();
  // What stood before the current token, comments left out and strings shortened; enough to recognise a call.
  let before = '';
  let position = 0;
  // Literals behind each other in a list of arguments: `path.join(__dirname, '..', 'bin', 'cli.js')`.
  let parts: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const code = text.slice(position, match.index);
    if (openCall.test(code)) open.add('');
    before = (before + code).slice(-reach);
    const [whole] = match;
    position = token.lastIndex;
    if (whole.startsWith('//') || whole.startsWith('/*')) continue;
    if (whole.startsWith('/')) {
      if (regexMayStart.test(before)) before += '/r/';
      else {
        // A division: only the slash is consumed, what follows is code.
        before += '/';
        position = match.index + 1;
        token.lastIndex = position;
      }
      continue;
    }
    const literal = valueOf(whole.slice(1, -1));
    parts = pathPart.test(literal) ? [...(/^\s*,\s*$/.test(code) ? parts.slice(-12) : []), literal] : [];
    const hole = whole.startsWith('`') ? literal.indexOf('${') : -1;
    if (hole >= 0) {
      if (call.test(before)) open.add(literal.slice(0, hole));
    } else if (literal !== '') {
      if (globCall.test(before)) open.add(literal.split(/[*?{[(!]/, 1)[0] ?? '');
      else if (introducer.test(before)) {
        if (call.test(before) && continues(text, position)) open.add(literal);
        else found.add(literal);
      } else if (pathLike.test(literal)) paths.add(literal);
      for (const joined of joinedPaths(parts)) paths.add(joined);
    }
    before += "''";
  }
  if (openCall.test(text.slice(position)) || ownRequire.test(text)) open.add('');
  return { modules: [...found], paths: [...paths], open: [...open] };
}

/** The text that a literal stands for: what is imported is named by it, however it is spelt. */
const valueOf = (literal: string): string =>
  literal.includes('\\')
    ? literal.replaceAll(escape, (whole, byte?: string, unit?: string, point?: string, sign?: string) => {
        const code = Number.parseInt(byte ?? unit ?? point ?? '', 16);
        if (sign === undefined) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
        return /[\n\r\u2028\u2029]/.test(sign) ? '' : (signs[sign] ?? sign);
      })
    : literal;
const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|(\r\n|[\s\S]))/g;
const signs: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

/** It may be called by any name, or where it is made. */
const ownRequire =
  /\b(?:const|let|var)\s+(?!require\b)\w+\s*=\s*(?:\w+\.)?createRequire\s*\(|\bcreateRequire\s*(?:\((?:[^()]|\([^()]*\))*\)\s*\(|as\b|:\s*\w)|[^=!]=\s*require\s*(?:[;,\n]|$)/;

/** Of parts of a path that end with a file: seen from the file's own folder, and from the root where they only lead up to it. */
function joinedPaths(parts: readonly string[]): readonly string[] {
  const last = parts.at(-1);
  if (parts.length < 2 || last === undefined || !/\.\w{1,8}$/.test(last)) return [];
  const down = parts.filter((part) => part !== '..' && part !== '.');
  return [...new Set([parts.join('/'), down.join('/')])].filter((joined) => pathLike.test(joined));
}

/** A literal that more is added to: `'./plugins/' + name`. */
function continues(text: string, position: number): boolean {
  return /^\s*\+/.test(text.slice(position, position + 20));
}

const reach = 400;
const pathPart = /^(?:\.{1,2}|[\w@.-]+(?:\/[\w@.-]+)*)$/;
const pathLike = /^[\w@.-]*(?:\/[\w@.-]+){1,12}\.\w{1,8}$/;
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*\//g;
const regexMayStart =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))\s*$/;
const call = /(?:^|[^.\w$]|\.{3}|\bmodule\s*\.\s*)(?:import|require)\s*\(\s*$/;
/** A call whose specifier begins with something else than a literal; a function of that name is none. */
const openCall = /(?:^|[^.\w$]|\.{3}|\bmodule\s*\.\s*)(?<!\bfunction\s)(?:import|require)\s*\(\s*[\w$([]/;
const globCall =
  /\b(?:import\.meta\.glob(?:Eager)?\s*(?:<[^;]*>)?\s*\(\s*\[?(?:\s*''\s*,)*|require\.context\s*\()\s*$/;
const introducer =
  /\bfrom\s*$|(?:^|[^.\w$])import\s*$|(?:^|[^.\w$]|\.{3}|\bmodule\s*\.\s*)(?:import|require)\s*\(\s*$|\b(?:require\.resolve|import\.meta\.resolve|new\s+URL)\s*\(\s*$|\.\s*(?:mock|doMock|unmock|doUnmock|importActual|importMock|requireActual|requireMock|setMock|unstable_mockModule|mockModule)\s*(?:<[^;]*>)?\s*\(\s*$/;
