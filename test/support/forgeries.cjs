// What a test can try to pass for a green one: each function is called in a test file, before its only test, which fails.
'use strict';
const fs = require('node:fs');
const { EventEmitter } = require('node:events');
const vm = require('node:vm');

/** What a reporter would say of the file if its only test had passed. */
function pretended(file, title) {
  const tests = [{ key: 'forged', suites: [], title }];
  return [
    { type: 'runStarted', framework: 'any', version: '1' },
    { type: 'filesQueued', files: [{ file }] },
    { type: 'fileCollected', file, tests },
    { type: 'testStarted', key: 'forged' },
    { type: 'testEnded', key: 'forged', outcome: 'passed', durationMs: 1 },
    { type: 'fileEnded', file, durationMs: 1 },
    { type: 'runFinished' },
  ];
}

/** All that can be read of this process and those above: environments, command lines, descriptors, files that they name. */
function secrets() {
  const found = new Set();
  const see = (text) => {
    for (const [word] of text.matchAll(/[0-9a-f]{16,}/g)) found.add(word);
  };
  for (let pid = process.pid, depth = 0; pid > 1 && depth < 4; depth++) {
    for (const name of ['environ', 'cmdline']) see(textOf(`/proc/${pid}/${name}`));
    for (const fd of listed(`/proc/${pid}/fd`)) {
      const target = linkOf(`/proc/${pid}/fd/${fd}`);
      if (/testmend/.test(target)) for (const one of [target, `${target}.key`]) see(textOf(one));
    }
    pid = Number(/^PPid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0);
  }
  see(JSON.stringify(process.env));
  return [...found, ''];
}

function textOf(file) {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function listed(folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** What one can write to without a crash: node's own descriptors are none of these. */
function channels() {
  return listed('/proc/self/fd').filter(
    (fd) => Number(fd) > 2 && /^(?:socket|\/.*testmend)/.test(linkOf(`/proc/self/fd/${fd}`)),
  );
}

function linkOf(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}

/** The realm that the runner's own code lives in: a test may run in another. */
const outside = vm.runInThisContext('globalThis');
const realms = () => [...new Set([globalThis, outside])];

const replaced = Function.prototype.call.bind(Reflect.get(String.prototype, 'replaceAll'));
function swap(value) {
  if (typeof value === 'string') return replaced(value, '"failed"', '"passed"');
  if (value && typeof value === 'object' && value.outcome === 'failed') {
    delete value.failures;
    value.outcome = 'passed';
  }
  return value;
}

const around = (target, name, before, after = (result) => result) => {
  const original = target[name];
  const { apply } = Reflect;
  target[name] = function (...args) {
    return after(apply(original, this, before(args)));
  };
};

/** The process that stands above the test, where the test has only a copy. */
const main = outside.process ?? process;

module.exports = {
  /** Lines in every form that was ever right, with every secret that can be found, to every descriptor. */
  lines(file, title) {
    for (const secret of secrets()) {
      pretended(file, title).forEach((message, number) => {
        const text = JSON.stringify(message);
        const seal = secret === '' ? '0'.repeat(32) : sealed(secret, `${number} ${text}`);
        const lines = [`{"token":"${secret}",${text.slice(1)}`, text, `testmend ${seal} ${number} ${text}`];
        for (const fd of channels()) writeTo(fd, `\n${lines.join('\n')}\n`);
      });
    }
    main.reallyExit(0);
  },
  /** One line of this kind, and nothing else. */
  oneLine(file) {
    for (const fd of channels())
      writeTo(fd, `\n${JSON.stringify({ type: 'fileEnded', file, durationMs: 1 })}\n`);
  },
  stringify() {
    for (const realm of realms())
      around(realm.JSON, 'stringify', (args) => [swap(args[0]), ...args.slice(1)], swap);
  },
  toJson() {
    for (const realm of realms())
      Object.defineProperty(realm.Object.prototype, 'toJSON', {
        configurable: true,
        value() {
          const { failures: _, ...rest } = this;
          return rest.outcome === 'failed'
            ? { ...rest, outcome: 'passed' }
            : Array.isArray(this)
              ? [...this]
              : rest;
        },
      });
  },
  writes() {
    const rewritten = (args) =>
      args.map((arg) =>
        arg instanceof Uint8Array ? Buffer.from(swap(Buffer.from(arg).toString())) : swap(arg),
      );
    for (const name of ['writeSync', 'appendFileSync', 'write']) around(fs, name, rewritten);
    require('node:module').syncBuiltinESMExports();
    around(Buffer, 'from', (args) => [swap(args[0]), ...args.slice(1)]);
    for (const name of ['utf8Write', 'asciiWrite', 'latin1Write', 'write'])
      around(Buffer.prototype, name, (args) => [swap(args[0]), ...args.slice(1)]);
    const crypto = require('node:crypto');
    around(crypto.createHmac('sha256', 'x').constructor.prototype, 'update', (args) => [
      swap(args[0]),
      ...args.slice(1),
    ]);
  },
  natives() {
    for (const realm of realms()) {
      const all = (args) => {
        for (let at = 0; at < args.length; at++) args[at] = swap(args[at]);
        return args;
      };
      for (const name of ['push', 'map', 'flatMap', 'forEach', 'filter', 'splice', 'concat', 'join'])
        around(realm.Array.prototype, name, all, swap);
      for (const name of ['get', 'set']) around(realm.Map.prototype, name, all, swap);
      for (const name of ['replace', 'replaceAll', 'slice', 'concat', 'split'])
        around(realm.String.prototype, name, (args) => args, swap);
      for (const name of ['assign', 'entries', 'fromEntries']) around(realm.Object, name, all, swap);
    }
  },
  /** Whatever modules of ours, or of the runner, are in reach get other events. */
  modules(file, title) {
    const cache = { ...require.cache, ...main.mainModule?.require?.cache };
    for (const [name, module] of Object.entries({ ...cache })) {
      if (module.exports === this || !/testmend|reporter|host/i.test(name)) continue;
      const { exports } = module;
      for (const one of [exports, ...Object.values(exports ?? {})]) {
        if (typeof one === 'function' && one.name.startsWith('end')) continue;
        attempt(() => drive(new one(new EventEmitter(), {}), file, title));
        attempt(() => pretended(file, title).forEach((message) => (one.send ?? one)(message)));
        attempt(() => pretended(file, title).forEach((message) => one().send(message)));
        attempt(() =>
          pretended(file, title).forEach((message) =>
            one.onTestCaseResult(undefined, { testmend: { ...message, file, key: 0 } }),
          ),
        );
      }
    }
    main.reallyExit(0);
  },
  /** The runner's own events, and its exit code. */
  events() {
    around(EventEmitter.prototype, 'emit', ([name, ...rest]) => [
      name === 'test:fail' ? 'test:pass' : name,
      ...rest,
    ]);
    main.on('exit', () => (main.exitCode = 0));
  },
  exit() {
    main.reallyExit(0);
  },
};

/** As a runner would drive its reporter. */
function drive(reporter, file, title) {
  const source = new EventEmitter();
  reporter.emit('pipe', source);
  const data = { name: title, nesting: 0, line: 1, column: 1, file, testId: 1, details: { duration_ms: 1 } };
  for (const name of ['enqueue', 'dequeue', 'start', 'complete', 'pass', 'plan'])
    source.emit(`test:${name}`, data);
}

function attempt(action) {
  try {
    action();
  } catch {
    // The next one may work.
  }
}

function writeTo(fd, text) {
  attempt(() => fs.writeSync(Number(fd), text));
}

function sealed(secret, text) {
  return require('node:crypto').createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}
