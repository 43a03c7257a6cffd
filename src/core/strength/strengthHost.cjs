// Runs beside the tests of a copy whose sources hold planted bugs: switches them on, one at a time, for one repetition of a test.
// The text of a function that gets `task` and `require`; it makes the global object that planted bugs, tests and hooks ask.
// `task`: { name: of that object, out: file for what is learnt, plan: file that says what to do }.
// The plan: { mode: 'reach' } has each test run once more and tells which bugs it reaches; { mode: 'try', sites: { site: [ids] } } runs the
// tests of a site once without a bug, once with each, and once without again.
if (globalThis[task.name] === undefined) {
  const fs = require('node:fs');
  const { AsyncLocalStorage } = require('node:async_hooks');
  // Taken before any test can put others in their place.
  const { appendFileSync } = fs;
  const { setTimeout, clearTimeout, performance, Promise, JSON, Object, Array, Set, Error } = globalThis;
  const { now } = Date;
  const plan = JSON.parse(fs.readFileSync(task.plan, 'utf8'));
  const isReach = plan.mode === 'reach';
  const running = new AsyncLocalStorage();
  /** For what runs in no context of its own: a callback of something made before. */
  let last;
  let isAwake = false;
  const noticed = new Set();
  const write = (line) => appendFileSync(task.out, `${JSON.stringify(line)}\n`);

  /** One repetition of a test: `bug` is 0 or -1 for none. */
  const begin = (site, bug) => ({ site, bug, calls: 0, reached: isReach ? new Set() : undefined });
  const current = () => running.getStore() ?? last;
  /** A bug may make a loop endless: what asks so often is ended. */
  const mostCalls = 2_000_000;
  /** A repetition that waits longer than this hangs; ms. */
  const longest = 4_000;

  const on = (bug) => {
    if (!isAwake) return false;
    const at = current();
    if (at === undefined) return false;
    if (at.reached !== undefined) at.reached.add(bug);
    if (at.bug > 0 && ++at.calls > mostCalls) throw new Error('A planted bug made this endless.');
    return at.bug === bug;
  };

  const none = Symbol('none');
  const isPlain = (value) => {
    const proto = Object.getPrototypeOf(value);
    return proto === null || Object.getPrototypeOf(proto) === null;
  };
  const ways = ['more', 'less', 'leaf'];

  /** The value, a little more, a little less, or with one value in it changed; `none` where that cannot be. */
  const changed = (value, way) => {
    if (typeof value === 'string') {
      if (way === 'more') return `${value}~`;
      if (value === '') return none;
      const half = value.length >> 1;
      return way === 'less' ? value.slice(0, -1) : `${value.slice(0, half)}~${value.slice(half + 1)}`;
    }
    if (typeof value === 'number') return way === 'more' ? value + 1 : way === 'less' ? value - 1 : none;
    if (typeof value === 'boolean') return way === 'more' ? !value : none;
    if (Array.isArray(value)) return changedList(value, way);
    if (typeof value !== 'object' || value === null || !isPlain(value)) return none;
    return changedObject(value, way);
  };
  const changedList = (list, way) => {
    if (way === 'more') return [...list, list.length > 0 ? list[list.length - 1] : null];
    if (list.length === 0) return none;
    if (way === 'less') return list.slice(0, -1);
    for (let at = list.length - 1; at >= 0; at--) {
      const leaf = changedLeaf(list[at]);
      if (leaf !== none) return list.map((one, index) => (index === at ? leaf : one));
    }
    return none;
  };
  const changedObject = (value, way) => {
    const keys = Object.keys(value);
    const copy = Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
    if (way === 'more') return Object.assign(copy, { plantedByTestmend: 1 });
    if (keys.length === 0) return none;
    if (way === 'less') {
      delete copy[keys[keys.length - 1]];
      return copy;
    }
    for (const key of keys.reverse()) {
      const leaf = changedLeaf(value[key]);
      if (leaf !== none) return Object.assign(copy, { [key]: leaf });
    }
    return none;
  };
  const changedLeaf = (value) =>
    value === null || value === undefined ? none : changed(value, typeof value === 'object' ? 'leaf' : 'more');

  /** `first` is the id of the first of the three bugs of a returned value. */
  const result = (first, value) => {
    if (!isAwake) return value;
    const at = current();
    if (at === undefined || (at.reached === undefined && (at.bug < first || at.bug > first + 2))) return value;
    if (value instanceof Promise) return value.then((settled) => result(first, settled));
    // It was run, also where the value is none that could be changed.
    if (at.reached !== undefined) at.reached.add(-first);
    for (const [index, way] of ways.entries()) {
      if (at.reached === undefined && at.bug !== first + index) continue;
      let other = none;
      try {
        other = changed(value, way);
      } catch {
        // A value that cannot be looked at stays as it is.
      }
      if (other === none) continue;
      if (at.reached !== undefined) at.reached.add(first + index);
      else return other;
    }
    return value;
  };

  /** Somebody noticed it already, or there is no time left. */
  const isOver = (at) => at.bug > 0 && (noticed.has(at.bug) || now() > plan.until);
  /** Tells how a repetition ended: `failed`, `hung` or neither. */
  const end = (at, started, how) => {
    if (at.ended) return;
    at.ended = true;
    if (how !== undefined && at.bug > 0) noticed.add(at.bug);
    const line = { site: at.site, bug: at.bug, ms: performance.now() - started, ...(how && { how }) };
    write(at.reached === undefined ? line : { ...line, reached: Array.from(at.reached) });
  };

  /** The callback that ends a test of mocha or jest; vitest's context is a function too. */
  const callbackIn = (given) => given.find((one) => typeof one === 'function' && one.task === undefined);

  /** Runs the body of a test as one repetition, which passes whatever the body does. `done`: the callback that ends it, if it takes one. */
  const repeat = (at, given, done, body) => {
    if (isOver(at)) return done?.();
    isAwake = true;
    last = at;
    const started = performance.now();
    const ending = (error) => {
      end(at, started, error ? 'failed' : undefined);
      done();
    };
    const handed = done ? given.map((one) => (one === done ? Object.assign(ending, done) : one)) : given;
    return running.run(at, () => {
      let value;
      try {
        value = body(handed);
      } catch (error) {
        if (done) return ending(error ?? true);
        end(at, started, 'failed');
        return undefined;
      }
      if (done) return value;
      if (value === null || typeof value !== 'object' || typeof value.then !== 'function') {
        end(at, started);
        return value;
      }
      let timer;
      const late = new Promise((resolve) => {
        timer = setTimeout(() => resolve(end(at, started, 'hung')), longest);
      });
      const settled = value.then(
        () => end(at, started),
        () => end(at, started, 'failed'),
      );
      return Promise.race([settled, late]).finally(() => clearTimeout(timer));
    });
  };

  /** What reads a function's text or counts its arguments reads those of the test itself. */
  const likeIt = (made, of) => {
    Object.defineProperty(made, 'length', { value: of.length });
    Object.defineProperty(made, 'name', { value: of.name });
    made.toString = () => Function.prototype.toString.call(of);
    return made;
  };
  const mark = (site, bug) => ` {planted ${site} ${bug}}`;
  const marked = /\{planted (\d+) (-?\d+)\}/;

  /** Registers the tests of a call: `declare` is `it`, `test.each(table)` or the like, and then a table gives the arguments. */
  const test = (site, declare, isTable) =>
    function (...args) {
      const at = args.findLastIndex((one) => typeof one === 'function');
      const [title] = args;
      const bugs = isReach ? [0] : plan.sites[site];
      if (at < 1 || typeof title !== 'string' || bugs === undefined)
        return isReach || bugs !== undefined ? declare.apply(this, args) : undefined;
      const register = (bug) => {
        const body = args[at];
        const own = likeIt(function (...given) {
          const done = isTable ? undefined : callbackIn(given);
          return repeat(begin(site, bug), given, done, (handed) => body.apply(this, handed));
        }, body);
        return declare.apply(
          this,
          args.map((one, index) => (index === 0 ? title + mark(site, bug) : index === at ? own : one)),
        );
      };
      if (isReach) {
        const first = declare.apply(this, args);
        register(0);
        return first;
      }
      let made;
      for (const bug of [0, ...bugs, -1]) made = register(bug);
      return made;
    };

  const titleNow = (self, args) => {
    const [context] = args;
    return (
      self?.currentTest?.title ??
      context?.task?.name ??
      (typeof context?.name === 'string' ? context.name : undefined) ??
      (typeof context?.title === 'string' ? context.title : undefined) ??
      globalThis.expect?.getState?.().currentTestName ??
      ''
    );
  };
  /** A hook before or after each test runs with the bug of that test. */
  const hook = (declare) =>
    function (...args) {
      const at = args.findIndex((one) => typeof one === 'function');
      if (at < 0) return declare.apply(this, args);
      const body = args[at];
      const own = likeIt(function (...given) {
        const [, site, bug] = marked.exec(titleNow(this, given)) ?? [];
        if (site === undefined) return body.apply(this, given);
        const state = begin(Number(site), Number(bug));
        if (isOver(state)) return body.apply(this, given);
        isAwake = true;
        last = state;
        const tell = () => {
          if (state.reached !== undefined && state.reached.size > 0)
            write({ site: state.site, hook: true, reached: Array.from(state.reached) });
        };
        // One that fails without a bug fails; a bug that makes it fail is noticed, and other tests go on.
        const fail = (error) => {
          if (state.bug <= 0) throw error;
          end(state, performance.now(), 'failed');
          callbackIn(given)?.();
        };
        return running.run(state, () => {
          try {
            const value = body.apply(this, given);
            if (typeof value?.then === 'function') return value.then(tell, fail);
            tell();
            return value;
          } catch (error) {
            return fail(error);
          }
        });
      }, body);
      return declare.apply(
        this,
        args.map((one, index) => (index === at ? own : one)),
      );
    };

  Object.defineProperty(globalThis, task.name, { value: { on, result, test, hook }, enumerable: false });
}
