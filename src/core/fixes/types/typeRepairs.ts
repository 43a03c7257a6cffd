// What a careful rule can do about the compiler's errors in a test: a type that is expected, an expected error, type arguments.
import ts from 'typescript';
import type { TypeRepair } from './typeAnswer.ts';
import type { TypeCheck } from './typeCheck.ts';

/** One repair for each error, or the reason why one of them has none: a file with an error left does not load. */
export function repairTypes(check: TypeCheck): TypeRepair[] | { reason: string } {
  const { source, errors } = check;
  const repairs: TypeRepair[] = [];
  const settled = new Set<ts.Diagnostic>();
  for (const error of errors.filter(({ code }) => code === unusedDirective)) {
    const moved = moveDirective(error, check, settled);
    if (moved === undefined) continue;
    repairs.push(moved.repair);
    settled.add(error).add(moved.error);
  }
  for (const error of errors) {
    if (settled.has(error)) continue;
    const node = nodeAt(source, error.start, error.start + error.length);
    const found =
      error.code === unmetConstraint
        ? expectedType(node, check)
        : error.code === wrongTypeArguments
          ? withoutTypeArguments(node, source)
          : undefined;
    if (found === undefined) return { reason: reasonOf(error, source) };
    if ('reason' in found) return found;
    repairs.push(found);
  }
  return repairs;
}

const unusedDirective = 2578;
const unmetConstraint = 2344;
const wrongTypeArguments = 2558;

function reasonOf({ code, messageText, start }: ts.DiagnosticWithLocation, source: ts.SourceFile): string {
  const line = source.getLineAndCharacterOfPosition(start).line + 1;
  const text = ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 160);
  return code === unusedDirective
    ? `The compiler no longer reports the error that line ${line} expects: a person must decide whether that is intended.`
    : `The compiler reports for line ${line}: ${text} (TS${code}).`;
}

/** The innermost node that covers the range. */
function nodeAt(source: ts.SourceFile, start: number, end: number): ts.Node {
  let found: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) > start || node.end < end) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `Expect<Equal<typeof value, Old>>`: the written side becomes the type that the compiler finds on the other. */
function expectedType(
  node: ts.Node,
  { source, checker }: TypeCheck,
): TypeRepair | { reason: string } | undefined {
  let inner = node;
  while (!ts.isTypeReferenceNode(inner)) {
    if (inner.parent === undefined || ts.isStatement(inner)) return undefined;
    inner = inner.parent;
  }
  const name = inner.typeName.getText(source);
  const [left, right, more] = inner.typeArguments ?? [];
  if (
    left === undefined ||
    right === undefined ||
    more !== undefined ||
    !/^(?:\w+\.)?(?:\w*Equals?|IsExact|Is|Same|Identical)$/.test(name)
  )
    return undefined;
  const sides = [left, right].filter((one) => isAsked(one));
  const [asked] = sides;
  if (asked === undefined || sides.length !== 1)
    return { reason: `It is unclear which side of ${name} is the expected one.` };
  const written = asked === left ? right : left;
  const type = checker.getTypeFromTypeNode(asked);
  const text = checker.typeToString(type, written, ts.TypeFormatFlags.NoTruncation | quotes(source));
  const old = written.getText(source);
  const open = new RegExp(String.raw`\b(?:any|unknown|never|import\()|\.\.\. \d+ more`);
  if (open.test(text) && !open.test(old))
    return {
      reason: `The new type of ${asked.getText(source)} is ${text.slice(0, 80)}, which says nothing about the value.`,
    };
  if (text.length > 2000 || !parses(text)) return { reason: 'The new type cannot be written in the test.' };
  if (text === old) return undefined;
  const expected = checker.getTypeFromTypeNode(written);
  const isWider = checker.isTypeAssignableTo(expected, type) && !checker.isTypeAssignableTo(type, expected);
  return {
    kind: 'expected type',
    changes: [{ start: written.getStart(source), end: written.end, newText: text }],
    old,
    new: text,
    ...(isWider && { isWider }),
  };
}

/** A type that comes of the code: `typeof value`, `ReturnType<typeof f>`, `Awaited<…>` of one. */
function isAsked(node: ts.TypeNode): boolean {
  let found = false;
  const visit = (inner: ts.Node): void => {
    found ||= ts.isTypeQueryNode(inner);
    ts.forEachChild(inner, visit);
  };
  visit(node);
  return found;
}

const quotes = ({ text }: ts.SourceFile): ts.TypeFormatFlags =>
  (text.match(/'/g) ?? []).length >= (text.match(/"/g) ?? []).length
    ? ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType
    : ts.TypeFormatFlags.None;

function parses(type: string): boolean {
  const text = `type T = ${type};`;
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return diagnostics.length === 0;
}

/** The error is still there, but the compiler reports it on another line of the same statement. */
function moveDirective(
  unused: ts.DiagnosticWithLocation,
  { source, errors }: TypeCheck,
  settled: ReadonlySet<ts.Diagnostic>,
): { readonly repair: TypeRepair; readonly error: ts.Diagnostic } | undefined {
  const { text } = source;
  const next = text.indexOf('\n', unused.start + unused.length) + 1;
  const statement = statementAt(source, next + (/^\s*/.exec(text.slice(next))?.[0].length ?? 0));
  if (statement === undefined || next === 0) return undefined;
  const isBeside = (one: ts.DiagnosticWithLocation): boolean =>
    one.code !== unusedDirective &&
    !settled.has(one) &&
    statement.getStart(source) <= one.start &&
    one.start < statement.end;
  const [error, another] = errors.filter(isBeside);
  if (error === undefined || another !== undefined) return undefined;
  const directive = text.slice(unused.start, unused.start + unused.length);
  const lineStart = text.lastIndexOf('\n', unused.start - 1) + 1;
  // Only a directive that has its line for itself can be taken away without a trace.
  if (!directive.startsWith('//') || text.slice(lineStart, unused.start).trim() !== '') return undefined;
  const target = text.lastIndexOf('\n', error.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(target))?.[0] ?? '';
  const comment = text.slice(unused.start, next).trimEnd();
  return {
    error,
    repair: {
      kind: 'expected error',
      changes: [
        { start: lineStart, end: next, newText: '' },
        {
          start: target,
          end: target,
          newText: `${indent}${comment}${text[next - 2] === '\r' ? '\r\n' : '\n'}`,
        },
      ],
      old: `line ${source.getLineAndCharacterOfPosition(unused.start).line + 2}`,
      new: `line ${source.getLineAndCharacterOfPosition(error.start).line + 1}`,
    },
  };
}

/** The smallest statement around the offset that is no block. */
function statementAt(source: ts.SourceFile, offset: number): ts.Statement | undefined {
  for (let node: ts.Node | undefined = nodeAt(source, offset, offset + 1); node; node = node.parent)
    if (ts.isStatement(node) && !ts.isBlock(node)) return node;
  return undefined;
}

/** `f<string>(x)` of what has another number of type parameters now: the compiler finds them by itself. */
function withoutTypeArguments(node: ts.Node, source: ts.SourceFile): TypeRepair | undefined {
  let call = node;
  while (!ts.isCallExpression(call) && !ts.isNewExpression(call)) {
    if (call.parent === undefined || ts.isStatement(call)) return undefined;
    call = call.parent;
  }
  const { typeArguments, expression } = call;
  if (typeArguments === undefined || (call.arguments?.length ?? 0) === 0) return undefined;
  const start = expression.end;
  const end = source.text.indexOf('>', typeArguments.end) + 1;
  if (end === 0) return undefined;
  const old = source.text.slice(start, end);
  return { kind: 'type arguments', changes: [{ start, end, newText: '' }], old, new: '(none)' };
}
