// Rewrites what a Python test file uses of the source under an old name: members, arguments by name, and keys of what functions give.
import type { SyntaxNode } from '@lezer/common';
import type { TextChange } from '../../model/edit.ts';
import {
  argumentsOf,
  childrenOf,
  parsePython,
  visitPython,
  type PythonSource,
} from '../../syntax/python/parsePython.ts';
import { readPythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { OfferHistory, type FollowedOffer } from './apiHistory.ts';
import type { MissedMember } from './lostName.ts';
import type { PythonHistory } from './pythonHistory.ts';
import { TestTypes } from './testTypes.ts';

export interface FollowedApiRenames {
  readonly changes: readonly TextChange[];
  /** `Cart.total` → `Cart.amount`, for sentences. */
  readonly renames: readonly RenameToFollow[];
  readonly reasons: readonly { readonly name: string; readonly reason: string }[];
  /** Of the reasons those of names that stand where a test expects an error, which a name that is gone raises as well. */
  readonly hidden: readonly string[];
}

export interface RenameToFollow {
  readonly old: string;
  readonly now: string;
  readonly owner: string;
  readonly kind: 'member' | 'argument' | 'key';
  readonly line: number;
  /** Why only a person can tell whether it is the same thing. */
  readonly doubt?: string;
}

interface FollowRequest {
  /** Those that only a person may make as well. */
  readonly doubtful: boolean;
  /** Lines on which a member is missed, also of things of which the text does not tell what they are. */
  readonly missed?: readonly Pick<MissedMember, 'line' | 'name'>[];
}

/** Of every use whose owner is certain; the same text gives the same changes. */
export async function followApiRenames(
  file: string,
  text: string,
  history: PythonHistory,
  request: FollowRequest,
): Promise<FollowedApiRenames> {
  const source = parsePython(text);
  const follower = new Follower(file, source, history, request);
  if (source.errorLine === undefined) await follower.follow();
  return follower.result();
}

class Follower {
  readonly #source: PythonSource;
  readonly #offers: OfferHistory;
  readonly #types: TestTypes;
  readonly #request: FollowRequest;
  readonly #changes: TextChange[] = [];
  readonly #renames = new Map<string, RenameToFollow>();
  readonly #reasons = new Map<string, string>();
  readonly #hidden = new Set<string>();

  constructor(file: string, source: PythonSource, history: PythonHistory, request: FollowRequest) {
    this.#source = source;
    this.#offers = new OfferHistory(history);
    this.#types = new TestTypes(file, source, { history, offers: this.#offers });
    this.#request = request;
  }

  result(): FollowedApiRenames {
    return {
      changes: this.#changes,
      renames: [...this.#renames.values()],
      hidden: [...this.#hidden],
      reasons: [...this.#reasons].map(([reason, name]) => ({ name, reason })),
    };
  }

  async follow(): Promise<void> {
    const found: SyntaxNode[] = [];
    visitPython(this.#source.root, (node) => void found.push(node));
    for (const node of found)
      if (node.name === 'MemberExpression')
        await (node.lastChild?.name === ']' ? this.#key(node) : this.#member(node));
      else if (node.name === 'CallExpression') {
        await this.#arguments(node);
        await this.#replaced(node);
      } else if (node.name === 'Decorator') await this.#replaced(node);
  }

  /** `cart.total`, `Cart.total` */
  async #member(node: SyntaxNode): Promise<void> {
    const property = node.lastChild;
    const { firstChild: object } = node;
    if (object === null || property?.name !== 'PropertyName') return;
    const name = this.#source.textOf(property);
    const place = await this.#ownerOf(object);
    const followed =
      place === undefined ? await this.#missed(property, name) : await this.#offers.member(place, name);
    this.#follow({ followed, node: property, old: name, owner: place?.name ?? '', kind: 'member' });
  }

  /** Of the only such use on a line that is known to miss it, where no text tells what has the member. */
  async #missed(property: SyntaxNode, name: string): Promise<FollowedOffer> {
    const line = this.#source.lineOf(property.from);
    if (this.#request.missed?.some((one) => one.line === line && one.name === name) !== true)
      return undefined;
    const text = this.#source.text.split('\n')[line - 1] ?? '';
    return text.match(new RegExp(`\\.\\s*${name}\\b`, 'g'))?.length === 1
      ? this.#offers.memberOfAny(name)
      : undefined;
  }

  async #ownerOf(node: SyntaxNode): Promise<{ readonly file: string; readonly name: string } | undefined> {
    const type = await this.#types.typeOf(node);
    if (type === undefined || type.kind === 'function') return undefined;
    return type.kind === 'result' ? type.object : type.place;
  }

  /** `pay(amount=3)`, `Cart(size=3)`, `cart.pay(amount=3)` */
  async #arguments(node: SyntaxNode): Promise<void> {
    const list = node.getChild('ArgList');
    const callee = node.firstChild;
    const given = argumentsOf(list, this.#source);
    if (list === null || callee === null || !given.some(({ name }) => name !== undefined)) return;
    const type = await this.#types.typeOf(callee);
    if (type === undefined || (type.kind !== 'class' && type.kind !== 'function')) return;
    for (const word of childrenOf(list)) {
      if (word.name !== 'VariableName' || word.nextSibling?.name !== 'AssignOp') continue;
      const name = this.#source.textOf(word);
      const followed = await this.#offers.parameter(type.place, name);
      if (followed === undefined) continue;
      const isTaken = 'now' in followed && given.some((one) => one.name === followed.now || one.spread);
      const safe = isTaken
        ? {
            reason: `The argument ${name} of ${type.place.name}() is now ${followed.now}, but the call already passes ${followed.now}.`,
          }
        : followed;
      this.#follow({
        followed: safe,
        node: word,
        old: name,
        owner: `${type.place.name}()`,
        kind: 'argument',
      });
    }
  }

  /** `total()["sum"]`, `result["sum"]`, where the result is what a function gave. */
  async #key(node: SyntaxNode): Promise<void> {
    const [object, , key] = childrenOf(node);
    if (object === undefined || key === undefined) return;
    const literal = readPythonLiteral(this.#source.text, key.from, key.to);
    const [part, ...more] = literal?.kind === 'str' ? literal.parts : [];
    if (literal?.kind !== 'str' || part === undefined || more.length > 0 || !/^\w+$/.test(literal.value))
      return;
    const type = await this.#types.typeOf(object);
    if (type?.kind !== 'result') return;
    const followed = await this.#offers.key(type.place, literal.value);
    const written = this.#source.textOf(key);
    this.#follow({
      followed,
      node: key,
      old: literal.value,
      owner: `${type.place.name}()`,
      kind: 'key',
      written,
    });
  }

  /** `patch.object(Cart, "total")`, `monkeypatch.setattr(cart, "total", …)` */
  async #replaced(node: SyntaxNode): Promise<void> {
    const list = node.getChild('ArgList');
    const callee =
      list === null ? '' : this.#source.text.slice(node.from, list.from).replace(/^@/, '').trim();
    if (
      !/^(?:(?:unittest\.)?mock\.|mocker\.)?patch(?:\.object)?$|^monkeypatch\.(?:setattr|delattr)$/.test(
        callee,
      )
    )
      return;
    const [first, second] = argumentsOf(list, this.#source);
    if (first !== undefined && first.name === undefined) await this.#dotted(first.value);
    if (first === undefined || second === undefined || first.name !== undefined || second.name !== undefined)
      return;
    const literal = readPythonLiteral(this.#source.text, second.value.from, second.value.to);
    const place = await this.#ownerOf(first.value);
    if (place === undefined || literal?.kind !== 'str' || !/^\w+$/.test(literal.value)) return;
    const followed = await this.#offers.member(place, literal.value);
    const written = this.#source.textOf(second.value);
    this.#follow({
      followed,
      node: second.value,
      old: literal.value,
      owner: place.name,
      kind: 'member',
      written,
    });
  }

  /** `"pkg.cart.Cart.total"` */
  async #dotted(node: SyntaxNode): Promise<void> {
    const literal = readPythonLiteral(this.#source.text, node.from, node.to);
    const [, module, name, member] =
      literal?.kind === 'str' ? (/^([\w.]+)\.(\w+)\.(\w+)$/.exec(literal.value) ?? []) : [];
    if (module === undefined || name === undefined || member === undefined) return;
    const place = await this.#types.classIn(module, name);
    if (place === undefined) return;
    const followed = await this.#offers.member(place, member);
    const written = this.#source.textOf(node);
    this.#follow({ followed, node, old: member, owner: place.name, kind: 'member', written });
  }

  #follow({ followed, node, old, owner, kind, written = old }: FoundUse): void {
    if (followed === undefined) return;
    const reason = 'reason' in followed ? followed.reason : followed.doubt;
    if (reason !== undefined && this.#expectsError(node)) this.#hidden.add(reason);
    if ('reason' in followed) return void this.#reasons.set(followed.reason, old);
    const { now, doubt } = followed;
    if (doubt !== undefined && !this.#request.doubtful) return void this.#reasons.set(doubt, old);
    this.#changes.push({ start: node.from, end: node.to, newText: replaceLast(written, old, now) });
    const line = this.#source.lineOf(node.from);
    const key = JSON.stringify([owner, old, now]);
    const rename = { old, now, owner, kind, line, ...(doubt === undefined ? {} : { doubt }) };
    if (!this.#renames.has(key)) this.#renames.set(key, rename);
  }

  /** `with pytest.raises(…):`, `with self.assertRaises(…):` around it, or in a call of such a name. */
  #expectsError(node: SyntaxNode): boolean {
    for (let up = node.parent; up !== null; up = up.parent) {
      const isAsked = up.name === 'WithStatement' || up.name === 'CallExpression';
      const [head = ''] = isAsked ? this.#source.textOf(up).split('\n') : [];
      if (/\b(?:raises|assertRaises(?:Regex)?)\s*\(/.test(head)) return true;
    }
    return false;
  }
}

/** Of `"pkg.total.Cart.total"`, the member stands at the end. */
function replaceLast(text: string, old: string, now: string): string {
  const at = text.lastIndexOf(old);
  return text.slice(0, at) + now + text.slice(at + old.length);
}

interface FoundUse {
  readonly followed: FollowedOffer;
  readonly node: SyntaxNode;
  readonly old: string;
  readonly owner: string;
  readonly kind: RenameToFollow['kind'];
  /** Of a text with its quotes. */
  readonly written?: string;
}
