// Whether a Python source still gives an argument by its old name to what no longer takes it.
import { argumentsOf, parsePython, visitPython } from '../../syntax/python/parsePython.ts';

/** What is called: a function or a method by its names, or a class, whose objects are made in more ways. */
export interface Callable {
  readonly names: readonly string[];
  readonly isClass: boolean;
}

/**
 * Does any call of something of that name give the argument, or hand on the function together with it (`partial(pay, amount=3)`)? Names
 * alone are compared: another function of the same name counts, too.
 */
export function givesArgument(text: string, callable: Callable, argument: string): boolean {
  const source = parsePython(text);
  const names = namesOf(text, callable);
  const mention = new RegExp(`\\b(?:${names.join('|')})\\b`);
  const callee = new RegExp(`(?:^|\\.)\\s*(?:${names.join('|')})$`);
  const key = new RegExp(`["']${argument}["']\\s*:`);
  let found = false;
  visitPython(source.root, (node) => {
    const called = node.name === 'CallExpression' ? node.firstChild : null;
    if (found || called === null) return !found;
    const list = node.getChild('ArgList');
    const given = argumentsOf(list, source);
    const text = source.textOf(called);
    const isMeant =
      callee.test(text) ||
      (callable.isClass && /^type\s*\(/.test(text)) ||
      given.some(({ value }) => mention.test(source.textOf(value)));
    found =
      isMeant &&
      (given.some(({ name }) => name === argument) || (list !== null && key.test(source.textOf(list))));
    return !found;
  });
  return found;
}

/** With the other names of imports, and of a class also the classes that take it over, as far as the text has them. */
function namesOf(text: string, callable: Callable): readonly string[] {
  const { names: own, isClass } = callable;
  const names = new Set(isClass ? [...own, 'cls', '__class__', '__init__', 'replace', '_replace'] : own);
  for (const [, alias = ''] of text.matchAll(new RegExp(`\\b(?:${own.join('|')})\\s+as\\s+(\\w+)`, 'g')))
    names.add(alias);
  const classes = isClass ? [...text.matchAll(/^[ \t]*class\s+(\w+)\s*\(([^)]*)\)/gm)] : [];
  for (let size = -1; size < names.size;) {
    size = names.size;
    for (const [, other = '', bases = ''] of classes)
      if ((bases.match(/\w+/g) ?? []).some((base) => base !== 'cls' && names.has(base))) names.add(other);
  }
  return [...names];
}
