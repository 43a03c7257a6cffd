// The line from our code inside the user's process to Testmend: sealed, so that nothing else in there can speak for it.
'use strict';

const fs = require('node:fs');

// Taken before tests run, and used without a look at any prototype: tests may replace all of it.
const { openSync, readFileSync, readSync, unlinkSync, writeSync } = fs;
const { stringify } = JSON;
const { keys } = Object;
const { isArray } = Array;
const { isFinite } = Number;
const { wait } = Atomics;
const { env, kill, pid } = process;
const codeAt = Function.prototype.call.bind(Reflect.get(String.prototype, 'charCodeAt'));
const Bytes = Uint8Array;
const Words = Int32Array;
const idle = new Int32Array(new SharedArrayBuffer(4));

/**
 * The channel of this process, once; undefined for whoever asks later, and where Testmend did not start it. TESTMEND_CHANNEL says where
 * lines go: a descriptor, or a file where a debugger starts us. The key comes first through the descriptor, or lies beside the file, and is
 * gone before tests run; only Windows, where nobody reads the first environment of a process, gives it there.
 */
function openChannel() {
  const place = take('TESTMEND_CHANNEL');
  const from = take('TESTMEND_CHANNEL_KEY');
  if (place === undefined) return undefined;
  const isDescriptor = place.length === 1;
  const out = isDescriptor ? Number(place) : openSync(place, 'a');
  if (take('TESTMEND_SPARE') !== undefined) return createChannel(out);
  const given = !isDescriptor
    ? takeFile(`${place}.key`)
    : from?.length > 1
      ? from
      : readLine(Number(from ?? out));
  return createChannel(out, given);
}

function createChannel(out, given) {
  let seal;
  let key;
  let next = 0;
  const begin = (line) => {
    const [hex, first = '0'] = line.trim().split(' ');
    key = hex;
    next = Number(first);
    seal = sealer(hex);
  };
  if (given !== undefined) begin(given);
  return {
    out,
    /** Blocking, so that everything said before a crash arrives. Starts on a fresh line: a test may write to the same descriptor. */
    send: (message) => {
      const text = `${next++} ${textOf(message)}`;
      write(out, `\ntestmend ${seal(text)} ${text}\n`);
    },
    /** For another process of ours that goes on in our place: the line that it reads first. */
    handOver: () => `${key} ${next}\n`,
    /** In a process that waits: `awaitTask`, and then the key. */
    awaitTask() {
      const task = awaitTask(out);
      begin(readLine(out));
      return task;
    },
  };
}

/** Takes the task, answers with the node that this is, and returns when told to begin. The key comes next, for whoever opens the channel. */
function awaitTask(descriptor) {
  const task = JSON.parse(readLine(descriptor));
  write(descriptor, `${process.execPath}\n`);
  readLine(descriptor);
  return task;
}

/** Throws away what leads to the module: its exports are for whoever loaded it. */
function hide(module) {
  delete require.cache[module.filename];
  const siblings = module.parent?.children ?? [];
  if (siblings.includes(module)) siblings.splice(siblings.indexOf(module), 1);
}

/** When the parent is gone nobody reads the results and nobody ends a test that hangs. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && endGroup(), 1000).unref();
}

function endGroup() {
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // This process leads no group.
    kill(pid, 'SIGKILL');
  }
}

function take(name) {
  const value = env[name];
  delete env[name];
  return value;
}

function takeFile(file) {
  const text = readFileSync(file, 'utf8');
  unlinkSync(file);
  return text;
}

/** Waits without a turn of the event loop, so that nothing else happens here meanwhile. Ends with whoever would write. */
function readLine(descriptor) {
  const byte = new Bytes(1);
  for (let line = ''; ;) {
    try {
      if (readSync(descriptor, byte) === 0) process.exit();
      if (byte[0] === 10) return line;
      line += String.fromCharCode(byte[0]);
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(1);
      wait(idle, 0, 0, 2);
    }
  }
}

function write(descriptor, text) {
  const bytes = bytesOf(text);
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(descriptor, bytes, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') return endGroup();
      wait(idle, 0, 0, 2);
    }
  }
}

/** As JSON.stringify, in ASCII; but nothing gets asked for a `toJSON`. */
function textOf(value) {
  if (typeof value === 'string') return stringify(value);
  if (typeof value === 'number') return isFinite(value) ? `${value}` : 'null';
  if (typeof value === 'boolean' || value === null) return `${value}`;
  if (typeof value !== 'object') return 'null';
  let text = '';
  const names = isArray(value) ? undefined : keys(value);
  for (let at = 0; at < (names ?? value).length; at++) {
    const item = value[names ? names[at] : at];
    if (names && (item === undefined || typeof item === 'function')) continue;
    text += `${text && ','}${names ? `${stringify(names[at])}:` : ''}${textOf(item)}`;
  }
  return names ? `{${text}}` : `[${text}]`;
}

/** Other characters than ASCII stand in texts only: as `\uXXXX`. */
function bytesOf(text) {
  let size = text.length;
  for (let at = 0; at < text.length; at++) if (codeAt(text, at) > 127) size += 5;
  const bytes = new Bytes(size);
  for (let at = 0, to = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (code < 128) bytes[to++] = code;
    else {
      bytes[to++] = 92;
      bytes[to++] = 117;
      for (let shift = 12; shift >= 0; shift -= 4)
        bytes[to++] = codeAt('0123456789abcdef', (code >> shift) & 15);
    }
  }
  return bytes;
}

/** The first half of HMAC-SHA-256 under the key, in hex. Written out: what node:crypto does goes through methods that a test can replace. */
function sealer(hex) {
  const inner = new Words(8);
  const outer = new Words(8);
  const padded = (pad) => {
    const block = new Bytes(64);
    for (let at = 0; at < 64; at++) block[at] = (at < hex.length ? codeAt(hex, at) : 0) ^ pad;
    return block;
  };
  begin(inner);
  compress(inner, padded(0x36), 0);
  begin(outer);
  compress(outer, padded(0x5c), 0);
  const state = new Words(8);
  return (text) => {
    digest(state, inner, bytesOf(text));
    const told = new Bytes(32);
    for (let at = 0; at < 32; at++) told[at] = state[at >> 2] >>> (24 - 8 * (at & 3));
    digest(state, outer, told);
    let seal = '';
    for (let at = 0; at < 32; at++) seal += '0123456789abcdef'[(state[at >> 3] >>> (28 - 4 * (at & 7))) & 15];
    return seal;
  };
}

const constants = new Words(64);
const start = new Words(8);
for (let prime = 2, at = 0; at < 64; prime++) {
  let isPrime = true;
  for (let by = 2; by * by <= prime; by++) if (prime % by === 0) isPrime = false;
  if (!isPrime) continue;
  if (at < 8) start[at] = ((Math.sqrt(prime) % 1) * 2 ** 32) | 0;
  constants[at++] = ((Math.cbrt(prime) % 1) * 2 ** 32) | 0;
}
const schedule = new Words(64);

function begin(state) {
  for (let at = 0; at < 8; at++) state[at] = start[at];
}

/** SHA-256 of one block, that `from` is the state after, and these bytes. */
function digest(state, from, bytes) {
  for (let at = 0; at < 8; at++) state[at] = from[at];
  const whole = bytes.length - (bytes.length % 64);
  for (let at = 0; at < whole; at += 64) compress(state, bytes, at);
  const left = bytes.length - whole;
  const rest = new Bytes(left < 56 ? 64 : 128);
  for (let at = 0; at < left; at++) rest[at] = bytes[whole + at];
  rest[left] = 128;
  const bits = (64 + bytes.length) * 8;
  for (let at = 0; at < 6; at++) rest[rest.length - 1 - at] = bits / 2 ** (8 * at);
  for (let at = 0; at < rest.length; at += 64) compress(state, rest, at);
}

function compress(state, bytes, from) {
  for (let at = 0; at < 16; at++) {
    const byte = from + at * 4;
    schedule[at] = (bytes[byte] << 24) | (bytes[byte + 1] << 16) | (bytes[byte + 2] << 8) | bytes[byte + 3];
  }
  for (let at = 16; at < 64; at++) {
    const x = schedule[at - 15];
    const y = schedule[at - 2];
    const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    schedule[at] = ((((schedule[at - 16] + low) | 0) + schedule[at - 7]) | 0) + high;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let at = 0; at < 64; at++) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const some = (((h + high) | 0) + ((e & f) ^ (~e & g))) | 0;
    const one = (((some + constants[at]) | 0) + schedule[at]) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

module.exports = { awaitTask, endGroup, endWithParent, hide, openChannel };
