// What the classes and functions of the Python sources offered before and offer now, and what of it has another name.
import {
  moduleApiOf,
  type ModuleApi,
  type PythonClass,
  type PythonFunction,
} from '../../syntax/python/moduleApi.ts';
import { parsePython } from '../../syntax/python/parsePython.ts';
import { givesArgument, type Callable } from './argumentUses.ts';
import type { PythonHistory, PythonPlace, When } from './pythonHistory.ts';
import { isMistyped } from '../members/closeName.ts';
import { mayMeanAnother } from '../renameDoubts/otherMeaning.ts';
import { stalePythonUse } from '../renameDoubts/stalePythonUse.ts';
import { renamedKeys, renamedMembers, renamedParameters, type ApiRename } from './apiRenames.ts';

/** What stands in for a name, and how certain that is. */
interface FollowedName {
  readonly now: string;
  /** Why only a person can tell whether it is the same thing: the rest of a sentence. */
  readonly doubt?: string;
}

/** Undefined: the name is as it was, or nothing is known of it. `reason`: it is gone, and nothing certainly has its place. */
export type FollowedOffer = FollowedName | { readonly reason: string } | undefined;

export class OfferHistory {
  readonly #history: PythonHistory;
  readonly #offers = new Map<string, Promise<ModuleApi | undefined>>();

  constructor(history: PythonHistory) {
    this.#history = history;
  }

  /** Where the name is defined that the module has: itself, or passed on from another one. */
  async definedAt(file: string, name: string, depth = 0): Promise<PythonPlace | undefined> {
    const what = (await this.#history.names(file, 'now'))?.names.get(name);
    if (what?.kind === 'class' || what?.kind === 'function') return { file, name };
    if (what?.kind !== 'import' || depth > 5) return undefined;
    const origin = await this.#history.module(what.module, file, 'now');
    return origin && this.definedAt(origin.file, what.name, depth + 1);
  }

  /** As it is now. */
  async classAt({ file, name }: PythonPlace): Promise<PythonClass | undefined> {
    return (await this.#moduleApiOf(file, 'now'))?.classes.get(name);
  }

  /** What every class of the changed sources that lost the member calls it now: one name, for a person to judge. */
  async memberOfAny(name: string): Promise<FollowedOffer> {
    const names = new Set<string>();
    const owners: string[] = [];
    for (const file of this.#history.changedFiles)
      for (const owner of (await this.#before(file))?.classes.keys() ?? []) {
        const [before, now] = await this.#pair(file, owner);
        if (before?.members.has(name) !== true) continue;
        // Where one of them still has it, nothing says that this is none of those.
        if (now === undefined || now.members.has(name)) return undefined;
        const followed = await this.#renamedMember({ file, name: owner }, name);
        if (followed === undefined || !('now' in followed)) return undefined;
        names.add(followed.now);
        owners.push(owner);
      }
    const [now, ...others] = names;
    if (now === undefined || others.length > 0) return undefined;
    const all =
      owners.length === 1
        ? `${owners[0]}, which`
        : `${owners.slice(0, 3).join(', ')}${owners.length > 3 ? ' and others' : ''}, which all`;
    return {
      now,
      doubt: `The owner of the member ${name} is unclear there: ${all} had it, have ${now} ${this.#history.when}.`,
    };
  }

  /** As it was where the source changed, else as it is; of a method `Class.method`, also one that the class takes over. */
  async functionAt(place: PythonPlace): Promise<PythonFunction | undefined> {
    const [owner = '', method] = place.name.split('.');
    if (method === undefined)
      return (
        (await this.#before(place.file)) ?? (await this.#moduleApiOf(place.file, 'now'))
      )?.functions.get(owner);
    for (const one of await this.#line({ file: place.file, name: owner })) {
      const offers = (await this.#before(one.file)) ?? (await this.#moduleApiOf(one.file, 'now'));
      const found = offers?.classes.get(one.name)?.methods.get(method);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What the class calls the member now that it had, or that a class had which it takes over. */
  async member(place: PythonPlace, name: string): Promise<FollowedOffer> {
    return this.#renamedMember(place, name);
  }

  async #renamedMember(place: PythonPlace, name: string, taker?: Callable): Promise<FollowedOffer> {
    const line = await this.#line(place);
    for (const one of line) {
      const now = await this.classAt(one);
      if (now === undefined || now.members.has(name) || now.isOpen) return undefined;
    }
    for (const { file, name: owner } of line) {
      const [before, now] = await this.#pair(file, owner);
      if (before?.members.has(name) !== true || now === undefined) continue;
      const renamed = renamedMembers(before, now).find(({ old }) => old === name);
      return renamed && this.#judge(renamed, `${owner}.${name}`, file, { pattern: /\.NAME\b/, taker });
    }
    return undefined;
  }

  /** What the function, the method or (of a class) what makes its objects calls the parameter now. */
  async parameter(place: PythonPlace, name: string): Promise<FollowedOffer> {
    const [owner = '', method] = place.name.split('.');
    const { file } = place;
    const before = await this.#before(file);
    const now = await this.#moduleApiOf(file, 'now');
    if (before === undefined || now === undefined) return undefined;
    const all = await this.#membersNow(file);
    if (before.functions.has(owner) || now.functions.has(owner))
      return this.#inSignature([before.functions.get(owner), now.functions.get(owner)], place, name, all, {
        names: [owner],
        isClass: false,
      });
    const [was, is] = [before.classes.get(owner), now.classes.get(owner)];
    if (was === undefined || is === undefined) return undefined;
    const members = new Map([...all, ...newNames(was, is)]);
    const init = method ?? '__init__';
    if (was.methods.has(init)) {
      const home = is.methods.get(init) ?? is.methods.get(members.get(init) ?? init);
      const isClass = init === '__init__';
      return this.#inSignature([was.methods.get(init), home], place, name, members, {
        names: isClass ? [owner] : [init, members.get(init) ?? init],
        isClass,
      });
    }
    // What makes the objects of a class of fields takes them by their names.
    const isField = method === undefined && was.members.get(name)?.kind === 'field' && !is.methods.has(init);
    return isField ? this.#renamedMember(place, name, { names: [owner], isClass: true }) : undefined;
  }

  /** What the function calls the key now of what it gives. */
  async key(place: PythonPlace, name: string): Promise<FollowedOffer> {
    const now = await this.#functionNow(place);
    const before = (await this.#before(place.file)) && (await this.functionAt(place));
    if (before === undefined || now === undefined) return undefined;
    const renamed = renamedKeys(before, now, await this.#membersNow(place.file)).find(
      ({ old }) => old === name,
    );
    const owner = `The key ${name} in the result of ${place.name}()`;
    return (
      renamed &&
      this.#judge(renamed, owner, place.file, {
        pattern: /(?:\[|\.get\()\s*["']NAME["']/,
      })
    );
  }

  /** Did it give its value at once before, and does it have to be awaited now? */
  async becameAsync(place: PythonPlace): Promise<boolean> {
    const before = (await this.#before(place.file)) && (await this.functionAt(place));
    const now = await this.#functionNow(place);
    const isPlain = /^(?:@\s*(?:staticmethod|classmethod)\s*)?$/.test(now?.decorators ?? '');
    // What yields is no coroutine.
    return (
      before?.isAsync === false &&
      now?.isAsync === true &&
      isPlain &&
      !now.body.some(({ text, kind }) => kind === 'other' && text === 'yield')
    );
  }

  async #functionNow({ file, name }: PythonPlace): Promise<PythonFunction | undefined> {
    const [owner = '', method] = name.split('.');
    const now = await this.#moduleApiOf(file, 'now');
    return method === undefined ? now?.functions.get(owner) : now?.classes.get(owner)?.methods.get(method);
  }

  async #inSignature(
    [before, now]: readonly [before: PythonFunction | undefined, now: PythonFunction | undefined],
    { file, name: owner }: PythonPlace,
    name: string,
    members: ReadonlyMap<string, string>,
    taker: Callable,
  ): Promise<FollowedOffer> {
    if (before === undefined || now === undefined || now.isOpen) return undefined;
    const renamed = renamedParameters(before, now, members).find(({ old }) => old === name);
    return renamed && this.#judge(renamed, `The argument ${name} of ${owner}()`, file, { taker });
  }

  /** What members of all classes of the file are called now, by their old names. */
  async #membersNow(file: string): Promise<ReadonlyMap<string, string>> {
    const [before, now] = [await this.#before(file), await this.#moduleApiOf(file, 'now')];
    return new Map(
      [...(before?.classes ?? [])].flatMap(([name, was]) => {
        const is = now?.classes.get(name);
        return is === undefined ? [] : newNames(was, is);
      }),
    );
  }

  /** `pattern`: how a use of the name looks, where its own text could be a coincidence: then another source has to go the same way. */
  async #judge(
    renamed: ApiRename,
    what: string,
    file: string,
    { pattern, taker }: { readonly pattern?: RegExp; readonly taker?: Callable | undefined },
  ): Promise<FollowedOffer> {
    const { old, now, by } = renamed;
    const gone = `${what} was removed from ${file} ${this.#history.when}`;
    if (now === undefined || by === 'gone')
      return { reason: `${gone}, and no certain replacement was found.` };
    const another = mayMeanAnother(old, now);
    if (another !== undefined) return { now, doubt: `${gone}, but ${another}.` };
    if (by === 'near') return { now, doubt: `${gone}. ${now} is new there, but its code differs.` };
    const uses = pattern === undefined ? undefined : await this.#uses(pattern, old, now);
    if (uses?.left === true || (taker && (await this.#isStillGiven(taker, old))))
      return { now, doubt: `${gone}. ${now} has the same code, but ${old} is still used.` };
    const stayed = await this.#leftElsewhere(old, file, pattern, taker);
    if (stayed !== undefined) return { now, doubt: `${gone}, and ${now} has the same code. ${stayed}` };
    const isFollowed = uses?.followed === true || (taker && (await this.#isNewlyGiven(taker, old, now)));
    if (isFollowed === true) return { now };
    for (const other of renamed.others ?? [])
      if (pattern !== undefined && (await this.#uses(pattern, old, other)).followed)
        return {
          now,
          doubt: `${gone}, where ${now} has its text, but a changed source file uses ${other} instead.`,
        };
    const said = isMistyped(old, now) ? `${now} may be a typo of ${old}` : renamed.doubt;
    if (said !== undefined) return { now, doubt: `${gone}. ${now} has the same code, but ${said}.` };
    return by === 'same'
      ? { now, doubt: `${gone}. ${now} has the same code, but that is too little code for certainty.` }
      : { now };
  }

  /** Also in sources that did not change. */
  #leftElsewhere(
    old: string,
    file: string,
    pattern: RegExp | undefined,
    taker: Callable | undefined,
  ): Promise<string | undefined> {
    const use = new RegExp(`(?<!\\bself)${pattern?.source.replace('NAME', old) ?? '(?!)'}`);
    const given = new RegExp(`\\b${old}\\s*=(?!=)|["']${old}["']\\s*:`);
    return stalePythonUse(old, file, this.#history.sources, (line, text) =>
      use.test(line) ? true : taker !== undefined && given.test(line) && givesArgument(text, taker, old),
    );
  }

  /** Does a changed source give the new argument where it gave the old one? */
  async #isNewlyGiven(taker: Callable, old: string, now: string): Promise<boolean> {
    const texts = await this.#history.changedTexts();
    return texts.some((one) => givesArgument(one.before, taker, old) && givesArgument(one.now, taker, now));
  }

  async #isStillGiven(taker: Callable, argument: string): Promise<boolean> {
    const texts = await this.#history.changedTexts();
    return texts.some(({ now }) => givesArgument(now, taker, argument));
  }

  /** Did a line of a changed source that used the old name become the same line with the new one? Is the old one still used? */
  async #uses(
    pattern: RegExp,
    old: string,
    now: string,
  ): Promise<{ readonly followed: boolean; readonly left: boolean }> {
    const use = new RegExp(pattern.source.replace('NAME', old));
    const given = new RegExp(`^\\w+\\.${old}\\s*(?::[^=]*)?=(?!=)`);
    let [followed, left] = [false, false];
    for (const { before, now: text } of await this.#history.changedTexts()) {
      const lines = new Set(text.split('\n').map((line) => line.trim()));
      left ||= use.test(text);
      for (const line of before.split('\n').map((one) => one.trim()))
        if (use.test(line) && !given.test(line) && !lines.has(line))
          followed ||= lines.has(line.replaceAll(new RegExp(`\\b${old}\\b`, 'g'), now));
    }
    return { followed, left };
  }

  /** The class, and those that it takes over, as far as they are known. */
  async #line(place: PythonPlace, depth = 0): Promise<readonly PythonPlace[]> {
    const found = [place];
    for (const base of depth > 5 ? [] : ((await this.classAt(place))?.bases ?? [])) {
      const above = /^\w+$/.test(base) ? await this.definedAt(place.file, base) : undefined;
      if (above !== undefined) found.push(...(await this.#line(above, depth + 1)));
    }
    return found;
  }

  async #pair(
    file: string,
    name: string,
  ): Promise<readonly [before: PythonClass | undefined, now: PythonClass | undefined]> {
    const before = await this.#before(file);
    return [before?.classes.get(name), (await this.#moduleApiOf(file, 'now'))?.classes.get(name)];
  }

  /** Of a file as it is called now; undefined where it did not change, or was not there. */
  #before(file: string): Promise<ModuleApi | undefined> {
    const from = this.#history.pathBefore(file);
    return from === undefined ? Promise.resolve(undefined) : this.#moduleApiOf(from, 'before');
  }

  #moduleApiOf(file: string, when: When): Promise<ModuleApi | undefined> {
    const key = `${when} ${file}`;
    const known =
      this.#offers.get(key) ??
      this.#history
        .text(file, when)
        .then((text) => (text === undefined ? undefined : moduleApiOf(parsePython(text))));
    this.#offers.set(key, known);
    return known;
  }
}

const newNames = (before: PythonClass, now: PythonClass): readonly (readonly [old: string, now: string])[] =>
  renamedMembers(before, now).flatMap(({ old, now: to }) => (to === undefined ? [] : [[old, to] as const]));
