// Joins the many chunks of a bundle into a few files, by when they are loaded: what waits to be loaded still waits, in fewer files.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { rollup } from 'rollup';

/**
 * The files, in the order in which they may import each other: each only those before it. `engine`: what an entry point starts with, and
 * the small rest · `libraries`: parsers and other large packages · `mend`: understanding, fixing and proving, with TypeScript.
 */
const files = ['engine', 'libraries', 'mend'];
const mending = /^src\/core\/(?:cycle|diagnosis|firstTest|fixes|policy|replay|verification)\//;
/** Bytes of packages in a chunk from which on it waits until it is needed. */
const largePackage = 50_000;

/**
 * `folder` holds a bundle that esbuild made with `splitting`, which `outputs` of its metafile tells of; its entry points keep their names,
 * and what `first` of them starts with decides what comes into `engine`. esbuild itself makes a chunk of each set of modules that are
 * loaded together, and has no option to make fewer.
 */
export async function joinChunks(folder, outputs, first) {
  const chunks = chunksOf(outputs);
  const entries = [...chunks.keys()].filter((name) => !/-[0-9A-Z]{8}\.js$/.test(name));
  await join(folder, { chunks, entries, fileOf: placed(chunks, entries, first) });
}

/** For a bundle with one entry point: the chunk of helpers, which the entry point names and does not need, comes into what it loads later, and so do all others. */
export async function joinHelpers(folder, outputs, entry) {
  const chunks = chunksOf(outputs);
  const helpers = importsOf(chunks.get(entry), chunks);
  const name = path.basename(entry, '.js');
  await join(folder, {
    chunks,
    entries: [entry],
    fileOf: (file) => (chunks.has(file) && file !== entry ? `${name}-later` : undefined),
    treeshake: { moduleSideEffects: (id) => !helpers.includes(path.basename(id)) },
  });
}

const chunksOf = (outputs) =>
  new Map(
    Object.entries(outputs)
      .filter(([file]) => file.endsWith('.js'))
      .map(([file, chunk]) => [path.basename(file), chunk]),
  );

async function join(folder, { chunks, entries, fileOf, treeshake = false }) {
  const bundle = await rollup({
    input: entries.map((name) => path.join(folder, name)),
    external: (id) => id === './typescript.js' || !(id.startsWith('.') || path.isAbsolute(id)),
    // The chunks are shaken already.
    treeshake,
    preserveEntrySignatures: 'allow-extension',
    onwarn: (warning) => {
      // Chunks that import each other would be evaluated in an order that nobody meant.
      if (warning.code === 'CIRCULAR_CHUNK') throw new Error(warning.message);
      if (warning.code !== 'UNUSED_EXTERNAL_IMPORT') console.warn(warning.message);
    },
  });
  for (const name of chunks.keys()) await rm(path.join(folder, name));
  await bundle.write({
    dir: folder,
    format: 'esm',
    chunkFileNames: '[name].js',
    hoistTransitiveImports: false,
    manualChunks: (id) => fileOf(path.basename(id)),
  });
  await bundle.close();
}

/** Says for the name of each chunk the file it comes into; undefined for an entry point. */
function placed(chunks, entries, first) {
  const atStart = loadedWith([first], chunks);
  const levels = new Map();
  const levelOf = (name) => {
    if (levels.has(name)) return levels.get(name);
    const own = atStart.has(name) ? 0 : ownLevel(chunks.get(name));
    levels.set(name, own);
    // What imports a later file belongs to it: else the earlier one would load it, too.
    const level = Math.max(own, ...importsOf(chunks.get(name), chunks).map(levelOf));
    levels.set(name, level);
    return level;
  };
  return (name) => (chunks.has(name) && !entries.includes(name) ? files[levelOf(name)] : undefined);
}

/** The chunks that are loaded together with these. */
function loadedWith(names, chunks) {
  const loaded = new Set();
  const visit = (name) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    importsOf(chunks.get(name), chunks).forEach(visit);
  };
  names.forEach(visit);
  return loaded;
}

const isStatic = ({ kind }) => kind === 'import-statement';

const importsOf = (chunk, chunks) =>
  chunk.imports
    .filter(isStatic)
    .map((one) => path.basename(one.path))
    .filter((name) => chunks.has(name));

function ownLevel({ inputs, imports }) {
  const needsTypescript = imports.some((one) => isStatic(one) && one.path === './typescript.js');
  const sizes = Object.entries(inputs).map(([module, { bytesInOutput }]) => [module, bytesInOutput]);
  if (needsTypescript || sizes.some(([module, size]) => size > 0 && mending.test(module)))
    return files.indexOf('mend');
  const packages = sizes.filter(([module]) => module.includes('node_modules/'));
  const isLarge = packages.reduce((sum, [, size]) => sum + size, 0) >= largePackage;
  return files.indexOf(isLarge ? 'libraries' : 'engine');
}
