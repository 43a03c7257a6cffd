// Runs one skill test file in a process of its own: `node skillHost.mjs <file> <title>`; the result crosses on fd 3 or in a file.
// Without arguments it waits for the file: that spares whoever edits the time in which node starts.
import assert from 'node:assert';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import reporterChannel from '../reporterChannel.cjs';

const isSpare = process.env.TESTMEND_SPARE !== undefined;
const channel = reporterChannel.openChannel();
const send = (message) => channel.send(message);
const exit = process.exit.bind(process);
const thrown = [];
/** Taken before tests replace them by fakes. */
const { setTimeout } = globalThis;
/** What a green file may leave open before its process is ended, ms. */
const grace = 1000;

if (channel && (isSpare || process.argv.length === 4)) {
  recordAssertions();
  await runFile(...(isSpare ? begun(channel.awaitTask()) : process.argv.splice(2)));
}

function begun({ cwd, file, title }) {
  process.chdir(cwd);
  return [file, title];
}

async function runFile(file, title) {
  const started = performance.now();
  let isTold = false;
  send({ type: 'runStarted', framework: 'skill', version: process.version });
  send({ type: 'fileCollected', file, tests: [{ key: file, suites: [], title }] });
  send({ type: 'testStarted', key: file });
  const tell = (...messages) => {
    messages.forEach(send);
    send({ type: 'fileEnded', file, durationMs: performance.now() - started });
    send({ type: 'runFinished' });
  };
  const fail = (error) => {
    if (isTold) return;
    isTold = true;
    tell({ type: 'fileFailed', file, failure: failureOf(error) });
    exit();
  };
  const stuck = () => fail(new Error(`${file} waits for a promise that never settles.`));
  process.once('uncaughtException', fail);
  process.once('unhandledRejection', fail);
  process.once('beforeExit', stuck);
  try {
    const run = testFunction(await import(pathToFileURL(file).href), file);
    const { passed, failed, errors } = checkedResult(await run(), file);
    process.off('beforeExit', stuck);
    const failures = errors.slice(0, 1000).map(failureOfEntry);
    const outcome = failures.length > 0 ? 'failed' : 'passed';
    const durationMs = performance.now() - started;
    const end = { type: 'testEnded', key: file, outcome, durationMs, counts: { passed, failed }, failures };
    // Green is what node ends with: an error may come until then, and an exit code tells of one.
    process.once('exit', () => isTold || tell(end));
    if (outcome === 'failed') exit();
    setTimeout(() => {
      send({
        type: 'note',
        text: `${basename(file)} left something open (a server, a timer): it was ended.`,
      });
      exit();
    }, grace).unref();
  } catch (error) {
    if (error instanceof SyntaxError) error.stack += await syntaxErrorFrame(file, error);
    fail(error);
  }
}

/**
 * Node keeps the place of a syntax error to itself and tells it only on stderr. An export that is missing is a `SyntaxError` as well, but
 * of a file that could be parsed: nothing is started to parse it once more.
 */
async function syntaxErrorFrame(file, { message }) {
  if (/^(?:The requested module|Named export) '/.test(message)) return '';
  const { spawnSync } = await import('node:child_process');
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 5000 });
  const [, place, caret] = /^(\S.*:\d+)\n.*\n( *)\^/m.exec(stderr) ?? [];
  return place ? `\n    at ${place}:${caret.length + 1}` : '';
}

/** The function that runs the tests of a file: its default export, the default of that, or `runTests`. */
export function testFunction(module, file) {
  const found = [module.default, module.default?.default, module.runTests].find(
    (one) => typeof one === 'function',
  );
  if (found) return found;
  const names = Object.keys(module);
  const exported = names.length > 0 ? `only ${names.join(', ')}, none of them the test function` : 'nothing';
  const remedy = 'export a default function, or one named runTests, that returns { passed, failed, errors }';
  throw new Error(`${file} exports ${exported}: ${remedy}.`);
}

/** `{ passed, failed, errors }` of texts; throws for everything else, and for no tests at all. */
export function checkedResult(result, file) {
  const refuse = (what) => {
    const shape = 'counts of 0 or more and a list of texts "name: message"';
    throw new Error(`${file} returned ${what}: return { passed, failed, errors }, with ${shape}.`);
  };
  if (result === null || typeof result !== 'object') refuse(result === undefined ? 'nothing' : print(result));
  const { passed, failed, errors = [] } = result;
  for (const [name, count] of Object.entries({ passed, failed })) {
    if (!Number.isSafeInteger(count) || count < 0) refuse(`${name}: ${print(count)}`);
  }
  if (!Array.isArray(errors)) refuse(`errors: ${print(errors)}`);
  if (passed + failed + errors.length === 0) refuse('{ passed: 0, failed: 0 }, so no tests');
  const texts = errors.map((entry) => (entry instanceof Error ? String(entry) : print(entry)));
  if (failed > 0 && texts.length === 0)
    texts.push(`${failed} of ${passed + failed} checks failed, and errors is empty.`);
  return { passed, failed, errors: texts };
}

/** An entry `name: message` belongs to the thrown assertion whose message is in it. */
function failureOfEntry(message) {
  const fits = (error) => error.message !== '' && message.includes(error.message);
  const startsAlike = (error) => message.includes(error.message.split('\n')[0] || error.message);
  const alike = thrown.filter(startsAlike);
  const error = thrown.find(fits) ?? (alike.length === 1 ? alike[0] : undefined);
  if (!error || error.message === '') return { message };
  thrown.splice(thrown.indexOf(error), 1);
  return { ...failureOf(error), message };
}

function failureOf(error) {
  if (!(error instanceof Error)) return { message: `thrown: ${print(error)}` };
  const { name, message, stack, code, expected, actual } = error;
  const frames = String(stack).split('\n').filter((line) => !line.includes('/skillHost.mjs')).join('\n'); // prettier-ignore
  const values = code === 'ERR_ASSERTION' ? { expected: print(expected), actual: print(actual) } : {};
  return { name: print(name), message: print(message), stack: frames.slice(-20_000), ...values };
}

function print(value) {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 12, breakLength: 80 });
  return text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text;
}

/** Keeps what assertions throw, because `errors` holds their messages only. */
function recordAssertions() {
  const keep = (error) => {
    if (error?.code === 'ERR_ASSERTION' && thrown.length < 1000) thrown.push(error);
    throw error;
  };
  const recording = (name, original) =>
    function (...args) {
      // `match` looks whether it is still assert.match, and else takes itself for doesNotMatch.
      const own = assert[name];
      if (/match$/i.test(name)) assert[name] = original;
      try {
        const result = Reflect.apply(original, this, args);
        return result instanceof Promise ? result.catch(keep) : result;
      } catch (error) {
        return keep(error);
      } finally {
        assert[name] = own;
      }
    };
  for (const library of [assert, assert.strict]) {
    for (const [name, original] of Object.entries(library)) {
      // `ok` reads its own call from the source to make its message: it must be called from there.
      if (typeof original === 'function' && !/^(?:ok|strict|[A-Z]\w*)$/.test(name))
        library[name] = recording(name, original);
    }
  }
  syncBuiltinESMExports();
}
