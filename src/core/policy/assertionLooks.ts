// Where assertions look: a change of what is expected may not turn them to another path, call, key or condition.
import ts from 'typescript';
import { visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts } from './fileFacts.ts';
import type { FollowedNames } from './followedNames.ts';
import { shapeOf } from './parseSource.ts';

/** The first argument of these says where they look, and nothing that is expected. */
const lookers = /property|attr|css|header|nth/i;
/** These look at the keys that they name, and at no others. */
const partial = /matchObject|containing|subset|include|like|partial/i;

/** An assertion of a test that was there before that looks elsewhere: at another path, call or key, or through a helper or a condition. */
export function asksElsewhere(was: FileFacts, is: FileFacts, follows: FollowedNames): ts.Node | undefined {
  const then = looksIn(was);
  const owners = new Set(was.tree.definitions.map(({ key }) => key));
  for (const { owner, what, node } of looksIn(is)) {
    const own = then.filter((one) => one.owner === owner);
    if (!owners.has(owner) || own.some((one) => one.what === what)) continue;
    const [kind, text] = [what.slice(0, 1), what.slice(1)];
    const isRenamed =
      kind === 'p' && own.some((one) => one.what.startsWith('p') && follows.path(one.what.slice(1), text));
    if (!isRenamed) return node;
  }
  return undefined;
}

interface Look {
  readonly owner: string;
  /** `p` and a path; `k` and keys; `a` and the shape of all. */
  readonly what: string;
  readonly node: ts.Node;
}

function looksIn({ assertions }: FileFacts): readonly Look[] {
  return assertions.flatMap(({ owner, family, matcher, args, node }): Look[] => {
    const [first] = args;
    if (family === 'helper') return [{ owner, what: `a${shapeOf(node)}`, node }];
    if (family === 'manual') return [{ owner, what: `a${shapeOf(node, { anyLiteral: true })}`, node }];
    const looks: Look[] = [];
    // supertest's `.expect('header', value)`.
    const isHeader = matcher === 'expect' && args.length === 2;
    if ((lookers.test(matcher) || isHeader) && first !== undefined)
      looks.push({
        owner,
        what: ts.isStringLiteralLike(first) ? `p${first.text}` : `a${shapeOf(first)}`,
        node: first,
      });
    for (const arg of args)
      if (partial.test(matcher) || partial.test(arg.getText()))
        for (const key of keysIn(arg)) looks.push({ owner, what: `p${key}`, node: arg });
    return looks;
  });
}

function keysIn(node: ts.Node): readonly string[] {
  const keys: string[] = [];
  visitNodes(node, (inner) => {
    if (ts.isPropertyAssignment(inner) || ts.isShorthandPropertyAssignment(inner))
      keys.push(inner.name.getText());
  });
  return keys;
}
