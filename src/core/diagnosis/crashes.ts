// Errors that nobody throws on purpose: what the language or the platform says when code is broken.

const neverMeant = /^(?:ReferenceError|SyntaxError|EvalError|AssertionError|JestAssertionError)$/;

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

/** "TypeError: x is not a function" when the error is a crash, else undefined. */
export function crashOf(className: string, message: string): string | undefined {
  const isCrash = neverMeant.test(className) || crashes.some((crash) => crash.test(message));
  return isCrash ? `${className}: ${message.split('\n')[0] ?? ''}` : undefined;
}
