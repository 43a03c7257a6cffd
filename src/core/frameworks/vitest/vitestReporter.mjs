// Runs inside the user's vitest (1 to 5) and tells the parent process, on file descriptor 3 or in a file, what becomes of each test.
import { readFileSync, realpathSync } from 'node:fs';
import reporterChannel from '../reporterChannel.cjs';

// Before vitest starts its workers.
const { send } = reporterChannel.openChannel();
const snapshots = process.env.TESTMEND_SNAPSHOTS;
delete process.env.TESTMEND_SNAPSHOTS;

export default class TestmendReporter {
  told = new Set();
  runnable = new Set();

  onInit(vitest) {
    this.vitest = vitest;
    reporterChannel.endWithParent();
    const { version = '', _tmpDir } = vitest;
    const left = typeof _tmpDir === 'string' ? { temporaryFolder: _tmpDir } : {};
    send({ type: 'runStarted', framework: 'vitest', version: String(version), ...left });
    treatSnapshots(vitest);
    withoutThresholds(vitest);
    for (const project of vitest.projects ?? []) {
      onlyTheseFiles(project);
      // Versions 1 and 2 have no command-line option for it.
      project.config.includeTaskLocation = true;
    }
    // Versions 1 and 2 leave without a word to reporters when there is nothing to run.
    const print = vitest.logger.printNoTestFound;
    vitest.logger.printNoTestFound = (...args) => (this.runFinished([]), print.apply(vitest.logger, args));
  }

  // Vitest 1 and 2; later versions may call some of these too.
  onPathsCollected = (paths = []) => send({ type: 'filesQueued', files: paths.map((file) => ({ file })) });
  onCollected = (files) => files?.forEach((file) => this.fileCollected(file));
  onFinished = (files, errors) => this.modern || this.runFinished(files ?? [], errors);
  onTaskUpdate(packs) {
    if (this.modern) return;
    const tasks = packs.flatMap(([id]) => this.vitest.state.idMap.get(id) ?? []);
    for (const task of tasks) {
      const { state = 'run', duration } = task.result ?? {};
      if (isTest(task) && state === 'run') this.testStarted(task);
      // Between two tries a test has a state but no duration yet.
      else if (isTest(task) && (state === 'skip' || duration !== undefined)) this.testEnded(task);
    }
    const ended = tasks.filter((task) => task.filepath && (task.result?.state ?? 'run') !== 'run');
    for (const file of ended) this.fileEnded(file);
  }

  // Vitest 3 and later.
  onTestRunStart(specs) {
    this.modern = true;
    sparePlaces(specs);
    const files = specs.map((spec) => ({ file: spec.moduleId, ...named(spec.project?.name) }));
    send({ type: 'filesQueued', files });
  }
  onTestModuleCollected = (module) => this.fileCollected(module.task);
  onTestCaseReady = (test) => this.testStarted(test.task);
  onTestCaseResult = (test) => this.testEnded(test.task);
  onTestModuleEnd = (module) => this.fileEnded(module.task);
  onTestRunEnd = (modules, errors) => this.runFinished(modules, errors);

  onUserConsoleLog({ taskId, type, content }) {
    const task = this.vitest.state.idMap.get(taskId);
    const place = isTest(task) ? { key: task.id } : { file: task?.file?.filepath ?? task?.filepath };
    send({ type: 'output', ...place, stream: type, text: cut(String(content), 2_000_000) });
  }

  first = (what, id) => !this.told.has(what + id) && this.told.add(what + id);
  fileCollected(file) {
    if (!file.filepath || !this.first('collected', file.id)) return;
    const tests = testsOf(file).map((test) => {
      if (test.mode === 'run') this.runnable.add(test.id);
      const { line, column } = test.location ?? {};
      return { key: test.id, suites: namesOf(suitesAbove(test)), title: test.name, line, column };
    });
    send({ type: 'fileCollected', ...placeOf(file), tests });
  }
  testStarted = ({ id }) => this.first('started', id) && send({ type: 'testStarted', key: id });
  testEnded(test, fileHasEnded = false) {
    const { mode, result } = test;
    const outcome = mode === 'skip' || mode === 'todo' ? 'skipped' : outcomes[result?.state];
    // Vitest also calls skipped what a broken hook kept from running; nobody meant that, so it stays without an end.
    if (outcome === 'skipped' && this.runnable.has(test.id) && !this.told.has('started' + test.id)) {
      if (!fileHasEnded || [test.file, ...suitesAbove(test)].some((suite) => failuresOf(suite)[0])) return;
    }
    if (!outcome || !this.first('ended', test.id)) return;
    const failures = outcome === 'failed' ? failuresOf(test) : undefined;
    send({ type: 'testEnded', key: test.id, outcome, durationMs: result?.duration || 0, failures });
  }
  fileEnded(file) {
    if (!this.first('file ended', file.id)) return;
    this.fileCollected(file);
    const place = placeOf(file);
    for (const suite of [file, ...suitesIn(file)]) {
      const suites = suite === file ? [] : namesOf([...suitesAbove(suite), suite]);
      for (const failure of failuresOf(suite)) send({ type: 'fileFailed', ...place, suites, failure });
    }
    for (const test of testsOf(file)) this.testEnded(test, true);
    send({ type: 'fileEnded', ...place, durationMs: file.result?.duration || 0 });
  }
  runFinished(files, errors = []) {
    if (!this.first('run', 'finished')) return;
    withoutThresholds(this.vitest);
    for (const file of files) this.fileEnded(file.task ?? file);
    const counted = this.vitest.config?.dangerouslyIgnoreUnhandledErrors ? [] : errors;
    const unhandled = counted.map((error) => ({ ...failureOf(error), file: error?.VITEST_TEST_PATH }));
    send({ type: 'runFinished', unhandled });
  }
}

/** A share of covered code that is too small is no failure of a test. Versions 1 and 2 read them before, later ones after the tests. */
function withoutThresholds({ config, coverageProvider }) {
  for (const options of [config?.coverage, coverageProvider?.options])
    if (options) options.thresholds = undefined;
}

const outcomes = { pass: 'passed', fail: 'failed', skip: 'skipped', todo: 'skipped' };
const isTest = (task) => task?.type === 'test' || task?.type === 'custom';
const testsOf = (suite) => suite.tasks.flatMap((task) => (isTest(task) ? task : testsOf(task)));
const suitesIn = (suite) => suite.tasks.flatMap((task) => (isTest(task) ? [] : [task, ...suitesIn(task)]));
const suitesAbove = ({ suite }) => (suite && !suite.filepath ? [...suitesAbove(suite), suite] : []);
const namesOf = (suites) => suites.flatMap(({ name }) => name || []);
const failuresOf = (task) => (task.result?.errors ?? []).map(failureOf);
const named = (project) => (project ? { project: String(project) } : {});
const placeOf = ({ filepath, projectName }) => ({ file: filepath, ...named(projectName) });

function failureOf(error) {
  const thrown = typeof error === 'object' && error ? error : { message: String(error) };
  const text = (key) => (typeof thrown[key] === 'string' ? { [key]: cut(thrown[key]) } : {});
  const message = cut(String(thrown.message ?? thrown.name ?? 'unknown error'));
  // A stack begins with the message; its places stand at the end.
  const stack = typeof thrown.stack === 'string' ? { stack: thrown.stack.slice(-longest) } : {};
  return { ...text('name'), ...stack, ...text('expected'), ...text('actual'), message };
}

/** Nobody reads more, and a line of many megabytes would not arrive. */
const longest = 90_000;
function cut(text, limit = longest) {
  const left = text.length - limit;
  const half = limit / 2;
  return left <= 0 ? text : `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`;
}

/**
 * A worker leads the stack of each test back to its source, which takes longer than a fast test. Vitest asks for that by
 * project: spared where each file of the project says all of its tests in plain text, so that the parent finds them by name.
 */
function sparePlaces(specs) {
  const projects = new Set(specs.map(({ project }) => project));
  for (const project of projects) {
    const own = specs.filter((spec) => spec.project === project);
    if (
      !project?.config ||
      !own.every(({ pool, moduleId }) => /^(?:vm)?(?:forks|threads)$/i.test(pool) && isPlain(moduleId))
    )
      continue;
    project.config.includeTaskLocation = false;
  }
}

/** Does the file declare nothing but suites and tests with names in plain text, each once, by itself? Else false, also in doubt. */
function isPlain(file) {
  try {
    return declaresPlainly(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

const blank = String.raw`(?:\s|;|//[^\n]*|/\*[^]*?\*/)+`;
const literal = String.raw`(?:'([^'\\\n]*)'|"([^"\\\n]*)")`;
const modifiers = String.raw`(?:\s*\.(?:only|skip|todo|concurrent|sequential|fails))*`;
const statements = {
  blank: new RegExp(blank, 'y'),
  import: /import\s+(?:type\s+)?(?:[\w$*{}\s,]+\sfrom\s*)?(?:'[^'\n]*'|"[^"\n]*")/y,
  open: new RegExp(
    String.raw`(?:describe|suite)${modifiers}\s*\(\s*${literal}\s*,\s*(?:async\s*)?(?:\(\s*\)\s*=>|function\s*\(\s*\))\s*\{`,
    'y',
  ),
  close: /\}\s*(?:,\s*\d+\s*)?,?\s*\)/y,
  test: new RegExp(String.raw`(?:it|test)${modifiers}\s*\(\s*${literal}(?=\s*[,)])`, 'y'),
  hook: /(?:(?:before|after)(?:Each|All)|vi\.\w+)\s*\(/y,
  // A value without a call, which could declare tests.
  value:
    /(?:const|let|var)\s+\w+(?:\s*:\s*[\w<>[\] |]+)?(?:\s*=\s*(?:[\w.]+|'[^'\\\n]*'|"[^"\\\n]*"))?\s*(?:;|\n)/y,
};

function declaresPlainly(text) {
  const suites = [];
  const names = new Set();
  const once = (found) => {
    const name = JSON.stringify([...suites, found[1] ?? found[2]]);
    return !names.has(name) && names.add(name);
  };
  for (let at = 0; at < text.length;) {
    const [kind, found] = statementAt(text, at);
    if (!found) return false;
    at += found[0].length;
    if (kind === 'open') suites.push(found[1] ?? found[2]);
    else if (kind === 'close' && suites.pop() === undefined) return false;
    else if (kind === 'test' && !once(found)) return false;
    if (kind === 'test' || kind === 'hook') at = endOfCall(text, at);
    if (at === Infinity) return false;
  }
  return suites.length === 0;
}

function statementAt(text, at) {
  for (const [kind, pattern] of Object.entries(statements)) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return [kind, found];
  }
  return [];
}

/** Behind the bracket that ends the call around `start`; past the text where a regular expression could mislead. */
function endOfCall(text, start) {
  const token =
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`|\/\/[^\n]*|\/\*[^]*?\*\/|[()'"`/]/g;
  token.lastIndex = start;
  for (let depth = 1, found; (found = token.exec(text));) {
    if (found[0] === '(') depth++;
    else if (found[0] === ')' && --depth === 0) return token.lastIndex;
    else if (/^['"`/]$/.test(found[0])) return Infinity;
  }
  return Infinity;
}

/** Vitest takes file names as parts of paths: `a.test.ts` selects `aa.test.ts` too. The parent names files exactly. */
function onlyTheseFiles(project) {
  const glob = project.globTestFiles?.bind(project);
  if (!glob) return;
  project.globTestFiles = async (filters = [], ...rest) => {
    const found = await glob(filters, ...rest);
    const wanted = new Set(filters.map((file) => file.replaceAll('\\', '/')));
    const keep = (all) => once(all).filter((file) => wanted.size === 0 || wanted.has(file));
    if (Array.isArray(found)) return keep(found);
    return { testFiles: keep(found.testFiles), typecheckTestFiles: keep(found.typecheckTestFiles) };
  };
}

/** Stored snapshots are written over only when the parent asks for it, whatever the configuration says. */
function treatSnapshots(vitest) {
  const known = [vitest.config.snapshotOptions, vitest.snapshot?.options];
  for (const { config } of vitest.projects ?? []) known.push(config?.snapshotOptions);
  for (const options of known.filter(Boolean)) {
    if (snapshots === 'update') options.updateSnapshot = 'all';
    // No name that vitest knows: it writes nothing then, as for `none`, but does not fail over snapshots that no test asks for.
    else if (snapshots === 'stored') options.updateSnapshot = 'stored';
    else if (options.updateSnapshot === 'all') options.updateSnapshot = 'new';
  }
}

/** Links lead to a file by several ways, as one of the workspace inside itself does: its tests count once. */
function once(files) {
  const known = new Set(files);
  const places = new Set();
  const folders = new Map();
  const realOf = (file) => {
    try {
      return realpathSync.native(file).replaceAll('\\', '/');
    } catch {
      return file;
    }
  };
  return files.filter((file) => {
    const slash = file.lastIndexOf('/');
    const folder = file.slice(0, slash);
    if (!folders.has(folder)) folders.set(folder, realOf(folder));
    const place = folders.get(folder) + file.slice(slash);
    const target = realOf(place);
    if (places.has(place) || [place, target].some((one) => one !== file && known.has(one))) return false;
    return places.add(place);
  });
}
