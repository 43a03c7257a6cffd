// Holds the floor plan: which room may import which, no cycles, `vscode` only in src/extension, no file over 450 lines.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import glob from 'fast-glob';

const root = path.resolve(import.meta.dirname, '..');

/** Bottom to top: a room may import only rooms listed before it, and its own files. */
const coreRooms = [
  'base',
  'model',
  'process',
  'workspace',
  'modules',
  'sandbox',
  'syntax',
  'coverage',
  'scenario',
  'frameworks',
  'failures',
  'run',
  'diagnosis',
  'fixes',
  'policy',
  'strength',
  'verification',
  'firstTest',
  'cycle',
  'session',
  'replay',
  'reports',
  'engine',
].map((room) => `src/core/${room}`);
/** What every host builds on: it translates between its users and the engine, and assembles nothing of the core itself. */
const ofHosts = ['base', 'model', 'reports', 'engine'].map((room) => `src/core/${room}`);
/** What each door beside the core may import, beyond itself. */
const doors: Record<string, readonly string[]> = {
  'src/server': [...ofHosts, 'src/mcp'],
  'src/mcp': ofHosts,
  'src/cli': [...ofHosts, 'src/mcp'],
  'src/demo': [...ofHosts, 'src/cli'],
  'src/webview': ['src/core/model'],
  'src/extension': ['src/core/base', 'src/core/model', 'src/server/messages.ts', 'src/webview/messages.ts'],
};
/**
 * What a folder of fixers may import of the others: those that tell tests, assertions, calls and names apart serve the rest. This list only
 * shrinks. `renameDoubts` asks at each place what its fixer would ask, so the fixers of names and it know each other.
 */
const wingsOfFixes: Record<string, readonly string[]> = {
  agent: ['outside'],
  assertion: ['mocks'],
  awaiting: ['assertion', 'calls', 'members', 'renameDoubts'],
  calls: ['members'],
  environment: ['assertion'],
  go: ['assertion'],
  imports: ['assertion', 'members', 'renameDoubts'],
  members: ['assertion', 'renameDoubts'],
  mocks: ['assertion'],
  model: ['outside'],
  obsolete: ['assertion'],
  options: ['calls', 'members', 'obsolete', 'signatures'],
  python: ['assertion', 'members', 'renameDoubts'],
  renameDoubts: ['awaiting', 'calls', 'imports', 'members', 'signatures'],
  signatures: ['calls', 'members', 'renameDoubts', 'types'],
  snapshots: ['assertion'],
  state: ['assertion', 'members'],
  throws: ['assertion'],
  waiting: ['assertion', 'calls', 'state'],
};
/** Rooms whose folders stand side by side, with what a folder may import of another; nothing where it is not named. */
const wings: Record<string, Record<string, readonly string[]>> = {
  'src/core/frameworks': {},
  'src/core/syntax': {},
  'src/core/policy': {},
  'src/core/fixes': wingsOfFixes,
};
/** Rooms in the core that may name another on their own floor or above, with the reason. */
const allowed: ReadonlyMap<string, string> = new Map();

const sourceFiles = (folder: string): string[] =>
  glob.sync(`${folder}/**/*.{ts,mjs,cjs,js}`, { cwd: root, ignore: ['**/node_modules/**'] });

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const specifiers = [
    ...text.matchAll(
      /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^\s*import\s*['"]([^'"]+)['"]/gm,
    ),
  ];
  return specifiers.map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** What is loaded together with the file: neither types nor `import()`. */
function staticImportsOf(file: string): string[] {
  if (!file.startsWith('src/')) return [];
  const text = readFileSync(path.join(root, file), 'utf8');
  return Array.from(
    text.matchAll(/^(?:import|export)\b(?! type\b)[^'"`;]*?\bfrom '([^']+)'|^import '([^']+)'/gm),
    (match) => match[1] ?? match[2] ?? '',
  );
}

const resolveImport = (file: string, specifier: string): string =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
const roomOf = (file: string): string =>
  file.startsWith('src/core/')
    ? file.split('/').slice(0, 3).join('/')
    : file.split('/').slice(0, 2).join('/');
const within = (file: string, place: string): boolean => file === place || file.startsWith(place + '/');

const hasWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(text);

describe('the floor plan', () => {
  const files = sourceFiles('src').filter((file) => file.split('/').length > 2);

  it('has a place for every file', () => {
    const rooms = new Set([...coreRooms, ...Object.keys(doors)]);
    const homeless = files.filter((file) => !rooms.has(roomOf(file)));
    assert.deepEqual(homeless, [], 'add the room to coreRooms or doors in test/architecture.test.ts');
  });

  it('lets a room import only rooms below it', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const room = roomOf(file);
      const below = doors[room] ?? coreRooms.slice(0, coreRooms.indexOf(room));
      for (const specifier of importsOf(file).filter((s) => s.startsWith('.'))) {
        const target = resolveImport(file, specifier);
        // The demo holds texts of tests, with imports of their own.
        if (!existsSync(path.join(root, target))) continue;
        const fine =
          within(target, room) ||
          below.some((place) => within(target, place)) ||
          allowed.has(`${file} -> ${target}`);
        if (!fine) wrong.push(`${file} -> ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('lets a folder of a room import another one only where that is declared', () => {
    const found = new Set<string>();
    for (const room of Object.keys(wings)) {
      const wingOf = (file: string): string | undefined =>
        within(file, room)
          ? file
              .slice(room.length + 1)
              .split('/')
              .slice(0, -1)[0]
          : undefined;
      for (const file of files) {
        const own = wingOf(file);
        if (own === undefined) continue;
        for (const specifier of importsOf(file).filter((s) => s.startsWith('.'))) {
          const other = wingOf(resolveImport(file, specifier));
          if (other !== undefined && other !== own) found.add(`${room}/${own} -> ${other}`);
        }
      }
    }
    const declared = Object.entries(wings).flatMap(([room, folders]) =>
      Object.entries(folders).flatMap(([own, others]) => others.map((other) => `${room}/${own} -> ${other}`)),
    );
    assert.deepEqual([...found].sort(), declared.sort(), 'move what both need out of the folders');
  });

  it('lets the host that the tests write stand on the engine alone', () => {
    const host = 'test/core/engine/thirdHost.ts';
    const inSources = importsOf(host)
      .map((specifier) => resolveImport(host, specifier))
      .filter((target) => target.startsWith('src/'));
    assert.deepEqual(
      inSources.filter((target) => !ofHosts.some((place) => within(target, place))),
      [],
    );
  });

  it('keeps `vscode` in src/extension', () => {
    assert.deepEqual(
      files.filter((file) => !file.startsWith('src/extension/') && importsOf(file).includes('vscode')),
      [],
    );
  });

  it('has no import cycles', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter((s) => s.startsWith('.'))
          .map((s) => resolveImport(file, s))
          .filter((t) => files.includes(t)),
      ]),
    );
    const done = new Set<string>();
    const visit = (file: string, trail: readonly string[]): void => {
      assert.ok(!trail.includes(file), `cycle: ${[...trail.slice(trail.indexOf(file)), file].join(' -> ')}`);
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
  });

  it('starts a run without what only reads its results', () => {
    const reached = new Map<string, string>();
    const visit = (file: string, from: string): void => {
      if (reached.has(file)) return;
      reached.set(file, from);
      for (const specifier of staticImportsOf(file))
        visit(specifier.startsWith('.') ? resolveImport(file, specifier) : specifier, file);
    };
    visit('src/cli/run.ts', '');
    const heavy = ['zod', 'diff', 'yaml', 'execa', 'typescript', '@jridgewell/trace-mapping', 'tap-parser'];
    assert.deepEqual(
      heavy.filter((name) => reached.has(name)).map((name) => `${reached.get(name)} -> ${name}`),
      [],
      'load it with import() where it is needed: here it delays the start of the runner',
    );
  });

  it('exports nothing that no other file uses', () => {
    /** VS Code calls the one; who imports `testmend/skills` may name the other. */
    const entries = [
      'src/extension/extension.ts activate',
      'src/core/frameworks/skill/skills.ts SkillTestResult',
    ];
    const texts = new Map(
      [...files, ...sourceFiles('test')].map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
    );
    const importers = new Map<string, string[]>();
    for (const [file, text] of texts)
      for (const specifier of importsOf(file).filter((one) => one.startsWith('.'))) {
        const target = resolveImport(file, specifier);
        importers.set(target, [...(importers.get(target) ?? []), text]);
      }
    const unused = files.flatMap((file) =>
      Array.from(
        (texts.get(file) ?? '').matchAll(
          /^export (?:async |abstract )*(?:function\*?|const|class|interface|type) ([\w$]+)/gm,
        ),
        ([, name = '']) => ({ name, place: `${file} ${name}` }),
      )
        .filter(({ name }) => !(importers.get(file) ?? []).some((text) => hasWord(text, name)))
        .map(({ place }) => place),
    );
    assert.deepEqual(
      unused.filter((place) => !entries.includes(place)),
      [],
      'take away the word export, or the code',
    );
  });

  it('compares names of fixers in src/core/fixes alone', () => {
    const comparing = [
      /\bprovider\)?\s*[!=]== (?!undefined)|[!=]==\s*(?:\w+\.)*provider\b/,
      /\.(?:test|exec|has|get|includes)\((?:\w+\.)*provider\)|\[(?:\w+\.)*provider\]/,
    ];
    const names = files.flatMap((file) =>
      within(file, 'src/core/fixes')
        ? Array.from(
            readFileSync(path.join(root, file), 'utf8').matchAll(
              /\b(?:id:|providerId =|provider:) '([a-z]+(?:-[a-z]+)+)'/g,
            ),
            ([, name]) => `'${name}'`,
          )
        : [],
    );
    assert.ok(names.length > 10);
    const found = files.flatMap((file) => {
      if (within(file, 'src/core/fixes')) return [];
      return readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) =>
          comparing.some((one) => one.test(line)) || names.some((name) => line.includes(name))
            ? [`${file}:${at + 1} ${line.trim()}`]
            : [],
        );
    });
    assert.deepEqual(found, [], 'let the provider say it in the origin of its fixes');
  });

  it('reads test ids in src/core/model/testId.ts alone', () => {
    const reading = [
      // A method that takes a text apart, on something called an id.
      /(?:\bid|[a-z]Id)\??\.(?:split|indexOf|lastIndexOf|startsWith|endsWith|includes|replace|replaceAll|match|matchAll|search|substring)\(/,
      /\.(?:exec|test)\((?:\w+\.)*(?:id|[a-z]+Id)\)/,
      /\$\{(?:\w+\.)*(?:id|[a-z]+Id)\}(?:#|::)/,
      // A regular expression for the number of a case.
      /\/::\(?\\d/,
    ];
    /** Their ids are not those of tests. */
    const others = /^src\/(?:core\/session\/|core\/cycle\/stuck\.ts|extension\/webview\/cycleJournal\.ts)/;
    const found = files.flatMap((file) => {
      if (file === 'src/core/model/testId.ts' || !file.endsWith('.ts') || others.test(file)) return [];
      const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
      return lines.flatMap((line, at) =>
        reading.some((one) => one.test(line)) ? [`${file}:${at + 1} ${line.trim()}`] : [],
      );
    });
    assert.deepEqual(found, [], 'ask a function of src/core/model/testId.ts');
  });

  it('has no file over 450 lines', () => {
    const long = [...sourceFiles('src'), ...sourceFiles('test').filter((f) => !f.includes('/fixtures/'))]
      .map((file) => [file, readFileSync(path.join(root, file), 'utf8').split('\n').length - 1] as const)
      .filter(([, lines]) => lines > 450);
    assert.deepEqual(long, []);
  });
});
