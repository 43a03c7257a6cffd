// What changed modules of Python no longer have: functions, classes and methods, and errors that nothing raises any more.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { definitionsIn, namesMentioned } from '../../syntax/python/testDefinitions.ts';
import type { ChangedPair } from '../changedSources.ts';

type ChangedModule = ChangedPair<PythonSource>;

export interface GoneDefinition {
  readonly name: string;
  readonly file: string;
}

/** Those whose name no changed module mentions any more, and whose text is there under no other name. */
export function goneDefinitions(modules: readonly ChangedModule[]): ReadonlyMap<string, GoneDefinition> {
  const mentioned = new Set(modules.flatMap(({ now }) => [...namesMentioned(now.root, now)]));
  const texts = new Set(modules.flatMap(({ now }) => [...namedBodies(now).values()].flat()));
  const found = new Map<string, GoneDefinition>();
  for (const { file, before } of modules)
    for (const [name, bodies] of namedBodies(before))
      if (!mentioned.has(name) && !bodies.some((body) => texts.has(body))) found.set(name, { name, file });
  return found;
}

/** An error that a module raises, or raised. */
export interface RaisedError {
  readonly file: string;
  /** `ValueError` */
  readonly className: string;
  /** Name of the function that raised it; of the class where that is `__init__`. */
  readonly owner: string | undefined;
  /** The written part of its message; empty where there is none. */
  readonly message: string;
}

/** A new wording is no error that is gone, nor is one that another function raises now. */
export function goneRaises(modules: readonly ChangedModule[]): readonly RaisedError[] {
  const present = modules.flatMap(({ file, now }) => raisesIn(file, now));
  return modules.flatMap(({ file, before, now }) => {
    const [former, own] = [raisesIn(file, before), raisesIn(file, now)];
    const isKnown = (all: readonly RaisedError[], one: RaisedError): boolean =>
      all.some((other) => keyOf(other) === keyOf(one));
    return former.filter(
      (one) =>
        !isKnown(present, one) && !own.some((other) => other.owner === one.owner && !isKnown(former, other)),
    );
  });
}

/** Errors that a function raises now and raised before, in the same words. */
export function keptRaises(modules: readonly ChangedModule[]): readonly RaisedError[] {
  return modules.flatMap(({ file, before, now }) => {
    const former = new Set(raisesIn(file, before).map((one) => keyOf(one)));
    return raisesIn(file, now).filter((one) => former.has(keyOf(one)));
  });
}

const keyOf = ({ className, owner, message }: RaisedError): string =>
  JSON.stringify([className, message === '' ? (owner ?? '') : '', message]);

/**
 * Bodies of functions, classes and methods by name, without layout and comments, as they are and with their own name as any other;
 * the last ones where a name is met again.
 */
function namedBodies(source: PythonSource): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const collect = (block: SyntaxNode): void => {
    for (const { definition, name } of definitionsIn(block, source)) {
      const body = definition.getChild('Body');
      if (body === null) continue;
      const text = source.textOf(body).replace(/#.*/g, '').replace(/\s+/g, ' ');
      found.set(name, [text, text.replace(/\w+/g, (word) => (word === name ? '#' : word))]);
      if (definition.name === 'ClassDefinition') collect(body);
    }
  };
  collect(source.root);
  return found;
}

function raisesIn(file: string, source: PythonSource): readonly RaisedError[] {
  const found: RaisedError[] = [];
  visitPython(source.root, (node) => {
    if (node.name !== 'RaiseStatement') return;
    const [, raised] = childrenOf(node);
    const callee = raised?.name === 'CallExpression' ? raised.firstChild : raised;
    const className = callee && /\w+$/.exec(source.textOf(callee))?.[0];
    if (!raised || !className) return;
    found.push({ file, className, owner: ownerOf(node, source), message: messageIn(raised, source) });
  });
  return found;
}

function ownerOf(node: SyntaxNode, source: PythonSource): string | undefined {
  for (let up = node.parent; up !== null; up = up.parent) {
    const name = /^(?:Function|Class)Definition$/.test(up.name) ? up.getChild('VariableName') : null;
    const text = name === null ? '' : source.textOf(name);
    if (text !== '' && !/^__(?:init|new|post_init)__$/.test(text)) return text;
  }
  return undefined;
}

/** The texts of the raised error, with `…` for what is put in between. */
function messageIn(raised: SyntaxNode, source: PythonSource): string {
  const pieces: string[] = [];
  visitPython(raised, (node) => {
    if (node.name !== 'String' && node.name !== 'FormatString') return true;
    const text = source.textOf(node).replace(/^[a-z]*("""|'''|"|')([^]*)\1$/i, '$2');
    pieces.push(node.name === 'String' ? text : text.replace(/\{[^{}]*\}/g, '…'));
    return false;
  });
  return pieces.join('');
}
