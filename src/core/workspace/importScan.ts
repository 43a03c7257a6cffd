// Finds the module specifiers in the text of a JavaScript or TypeScript file without parsing it.

export interface ScannedSpecifiers {
  /** Specifiers of import, export, require, dynamic import, import types, module mocks and `new URL('…', import.meta.url)`. */
  readonly modules: readonly string[];
  /** Other strings that look like the path of a file: what a test starts or reads. */
  readonly paths: readonly string[];
}

/** Every literal specifier, in order and without duplicates; comments and strings are skipped. Takes linear time. */
export function scanSpecifiers(text: string): ScannedSpecifiers {
  const found = new Set<string>();
  const paths = new Set<string>();
  // What stood before the current token, comments left out and strings shortened; enough to recognise a call.
  let before = '';
  let position = 0;
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    before = (before + text.slice(position, match.index)).slice(-reach);
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
    const literal = whole.slice(1, -1);
    if (literal !== '' && !literal.includes('${')) {
      if (introducer.test(before)) found.add(literal);
      else if (pathLike.test(literal)) paths.add(literal);
    }
    before += "''";
  }
  return { modules: [...found], paths: [...paths] };
}

const reach = 400;
const pathLike = /^[\w@.-]*(?:\/[\w@.-]+){1,12}\.\w{1,8}$/;
const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*\//g;
const regexMayStart =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield))\s*$/;
const introducer =
  /\bfrom\s*$|(?:^|[^.\w$])import\s*$|(?:^|[^.\w$])(?:import|require)\s*\(\s*$|\b(?:require\.resolve|import\.meta\.resolve|new\s+URL)\s*\(\s*$|\.\s*(?:mock|doMock|unmock|doUnmock|importActual|importMock|requireActual|requireMock|setMock|unstable_mockModule|mockModule)\s*(?:<[^;]*>)?\s*\(\s*$/;
