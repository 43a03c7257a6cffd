// Errors that nobody throws on purpose: what the language or the platform says when code is broken.

const neverMeant = /^(?:ReferenceError|EvalError|AssertionError|JestAssertionError)$/;

/** Messages of V8 and of Node, as far as broken code brings them about. */
const crashes: readonly RegExp[] = [
  /\bis not (?:a function|a constructor|iterable|async iterable)\b|\bobject is not extensible$/,
  /\bCannot (?:read|set|delete|add|define|redefine|create) propert(?:y|ies)\b/,
  /\bCannot (?:destructure property|convert (?:undefined|object|a )|mix BigInt|find (?:module|package)|assign to read only)/,
  /\b(?:before initialization|Maximum call stack size|circular structure to JSON)\b/,
  /^(?:Assignment to constant|Reduce of empty array|Invalid (?:array length|string length|time value|count value)\b)/,
  /^(?:Class constructor |Class extends value |Illegal invocation|Method \S+ called on incompatible receiver)/,
  /^(?:Invalid (?:URL|code point|count value|language tag|time zone|option)\b|URI malformed$|The number \S+ cannot be converted to a BigInt)/,
  /^to(?:Fixed|Precision|String|Exponential)\(\) (?:digits|argument|radix)|^(?:Incorrect locale information|Value undefined out of range|Offset is outside the bounds|Start offset )/i,
  /^The "[^"]+" (?:argument|property) must be /,
  /^(?:ENOENT|EACCES|EEXIST|ENOTDIR|EISDIR|EPERM|ECONNREFUSED|ENOTFOUND|ETIMEDOUT)\b/,
];

/** Of syntax errors, which parsers of all kinds throw on purpose: what V8, modules, JSON, selectors and compilers say. */
const syntaxCrashes: readonly RegExp[] = [
  /\b(?:in|after) JSON at position \d|" is not valid JSON$|\bJSON input$|\bis not a valid selector\b|^\S+\.[cm]?[jt]sx?: |\(\d+:\d+\)/,
  /\b[Ss]trict mode\b|\bhas already been declared$|\b(?:is|are) not allowed\b|\bnot allowed (?:in|here|as)\b|\bmust be declared in\b/,
  /^Unexpected (?:token|identifier|end of (?:input|arg)|number|string|template|regular|reserved|strict|eval|private)\b/,
  /^Invalid (?:or unexpected|regular expression|flags|left-hand|destructuring|shorthand|optional|tagged|hexadecimal|Unicode|BigInt|rest|private|named|capture|asm)\b/,
  /^[Mm]issing (?:[)}]|catch|initializer|semicolon)|^Undefined (?:label|Unicode)|^Illegal (?:break|continue|return|await|newline|'use|let)/,
  /^(?:The requested module|Detected cycle|Named export|Export '|Ambiguous|Cannot (?:use|convert|determine)|Class(?:es)? |A class may|Async functions|Generators can|Function statements)\b/,
  /^(?:Getter must|Setter (?:must|function)|Rest (?:element|parameter)|Lexical declaration|Label '|Labelled|Keyword must|More than one default|Duplicate (?:parameter|__proto__|export))/,
  /^(?:Malformed arrow|Unterminated template|Only one underscore|Numeric separator|Octal|Decimals with|Delete of|HTML comments|The left-hand side|Unary operator|Yield expression|await is only)/,
  /^(?:Too many (?:arguments|parameters|variables)|Literal containing|Arg string|Single function|for(?: await|-\w+)|let is disallowed|new\.target|'\S+' (?:is not a valid|keyword)|import|Import)\b/,
];

/** "TypeError: x is not a function" when the error is a crash, else undefined. */
export function crashOf(className: string, message: string): string | undefined {
  const known = className === 'SyntaxError' ? [...crashes, ...syntaxCrashes] : crashes;
  const isCrash = neverMeant.test(className) || known.some((crash) => crash.test(message));
  return isCrash ? `${className}: ${message.split('\n')[0] ?? ''}` : undefined;
}
