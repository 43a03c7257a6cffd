// What a package of Go that does not build misses: a function or method that is gone from a changed source, and what has its text now.
import type { ReachedChange } from '../../diagnosis/reachedChange.ts';
import type { Failure } from '../../model/testResult.ts';
import type { FixContext } from '../fixProvider.ts';

/** Of the first error of the compiler that names something which a changed source had; undefined where none does. */
export async function lostGoName(
  { message }: Failure,
  context: FixContext,
): Promise<ReachedChange | undefined> {
  const { changes } = context;
  for (const { file, from = file, status } of changes.files) {
    if (!file.endsWith('.go') || status === 'added') continue;
    const before = definitionsIn((await changes.baseText(from)) ?? '');
    const now = definitionsIn(status === 'deleted' ? '' : ((await context.readText(file)) ?? ''));
    for (const { name, type } of missedIn(message)) {
      const lost = before.find((one) => one.name === name && (type === undefined || one.type === type));
      if (lost === undefined || now.some((one) => one.name === name && one.type === lost.type)) continue;
      const fresh = now.filter(
        (one) =>
          one.shape === lost.shape &&
          !before.some((other) => other.name === one.name && other.type === one.type),
      );
      const [only] = fresh;
      const isSame = only !== undefined && fresh.length === 1;
      const gone = `${type === undefined ? name : `${type}.${name}`} was removed from ${file}`;
      const account = isSame
        ? `${gone}, and ${only.name} has the same code. Testmend does not follow renames in Go: use ${only.name} in the test.`
        : `${gone}, and no certain replacement was found.`;
      return { file, name, account, isSame };
    }
  }
  return undefined;
}

interface Definition {
  /** Of a method, the type that has it. */
  readonly type: string | undefined;
  readonly name: string;
  /** Without comments, its own name left out. */
  readonly shape: string;
}

/** Functions and methods as gofmt writes them: from `func` at the start of a line to the brace there. */
function definitionsIn(text: string): readonly Definition[] {
  const found = text.matchAll(/^func (?:\((?:\w+ )?\*?(\w+)[^)]*\) )?(\w+)[^\n]*(?:\{[^\n]*\}$|[^]*?^\})/gm);
  return Array.from(found, ([whole, type, name = '']) => ({
    type,
    name,
    shape: whole
      .replace(/\/\/.*$/gm, '')
      .replace(new RegExp(`\\b${name}\\b`, 'g'), '#')
      .replace(/\s+/g, ' '),
  }));
}

/** `undefined: shop.Net`, `cart.Total undefined (type *Cart has no field or method Total)` */
function missedIn(message: string): readonly { readonly name: string; readonly type?: string }[] {
  const members = message.matchAll(/\(type \*?(?:\w+\.)?(\w+) has no field or method (\w+)[,)]/g);
  const names = message.matchAll(/\bundefined: (?:\w+\.)?(\w+)$/gm);
  return [
    ...Array.from(members, ([, type = '', name = '']) => ({ name, type })),
    ...Array.from(names, ([, name = '']) => ({ name })),
  ];
}
