// Bundles every entry point into dist/ and media/: `node src/build.mjs`; `--extension` makes what is packaged as the extension instead:
// minified, in few files, without the command line.
import { build } from 'esbuild';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinChunks, joinHelpers } from './joinChunks.mjs';
import { reportPage, reviewPage } from './pages.mjs';
import { changelogOfPackage, readmeOfPackage } from './readmeOfPackage.mjs';
import { writeTypesOfSkills } from './writeTypesOfSkills.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => path.join(root, ...parts);
const isExtension = process.argv.includes('--extension');
const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'));
const common = {
  bundle: true,
  // Every start parses the bundles; names stay readable in stacks unless packaged.
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: isExtension,
  sourcemap: isExtension ? false : 'linked',
  logLevel: 'warning',
  define: { TESTMEND_VERSION: JSON.stringify(version) },
};
// Bundled CommonJS packages call require() for Node's own modules; an ES module has none of its own.
const requireBanner = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
};
// TypeScript is 9 MB and loaded only by the rooms that parse: it stays a file of its own beside the bundles. An ES module gets it
// through require(): before it imports a CommonJS file, Node reads it through for names of exports, which takes longer than to run it.
const typescriptBeside = {
  name: 'typescript-beside',
  setup(builder) {
    builder.onResolve({ filter: /^typescript$/ }, () => ({ path: './typescript.js', external: true }));
  },
};
const requireTypescript = `import { createRequire } from 'node:module';\nexport default createRequire(import.meta.url)('./typescript.cjs');\n`;
// VS Code parses the extension at startup: all but a few lines of it wait in a bundle of their own.
const houseBeside = {
  name: 'house-beside',
  setup(builder) {
    builder.onResolve({ filter: /\/house\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './house.cjs', external: true },
    );
  },
};
// zod's main entry carries the messages of fifty languages (360 kB that every start would parse): English alone is used.
const englishOnly = {
  name: 'english-only',
  setup(builder) {
    builder.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ resolveDir }) =>
      /[\\/]zod[\\/]/.test(resolveDir) ? { path: path.join(resolveDir, '../locales/en.js') } : undefined,
    );
  },
};
// The protocol's library checks what it was answered with a compiler of schemas (250 kB) unless it is given another, such as its own smaller one.
const smallValidator = {
  name: 'small-validator',
  setup(builder) {
    const name = '@modelcontextprotocol/server/_shims';
    builder.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'small' }));
    builder.onLoad({ filter: /./, namespace: 'small' }, () => ({
      contents: `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
        export { default as process } from 'node:process';`,
      resolveDir: root,
    }));
  },
};
const node = { ...common, platform: 'node', target: 'node20.19', outdir: at('dist') };
const page = { ...common, platform: 'browser', target: 'es2022', format: 'iife', plugins: [englishOnly] };
// Files beside the bundles; in the extension, which may have few of them, part of the code.
const [report, review] = await Promise.all([reportPage(root, page), reviewPage(root, page)]);
const pages = { TESTMEND_REPORT_PAGE: JSON.stringify(report), TESTMEND_REVIEW_PAGE: JSON.stringify(review) };
const module = {
  ...node,
  define: { ...common.define, ...(isExtension && pages) },
  format: 'esm',
  plugins: [typescriptBeside, englishOnly, smallValidator],
  banner: requireBanner,
};

await rm(at('dist'), { recursive: true, force: true });
await mkdir(at('dist'), { recursive: true });
const [, { metafile }, { metafile: ofTypes }] = await Promise.all([
  build({
    ...node,
    entryPoints: { extension: at('src/extension/extension.ts'), house: at('src/extension/house.ts') },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    external: ['vscode'],
    plugins: [houseBeside, englishOnly],
    supported: { 'dynamic-import': false },
  }),
  build({
    ...module,
    metafile: true,
    entryPoints: {
      server: at('src/server/main.ts'),
      mcp: at('src/mcp/main.ts'),
      ...(!isExtension && {
        cli: at('src/cli/main.ts'),
        skills: at('src/core/frameworks/skill/skills.ts'),
      }),
    },
    splitting: true,
    chunkNames: '[name]-[hash]',
  }),
  // A process of its own, started by the engine and the command line: it shares no chunk with them, and loads nothing but what it needs.
  // It chooses a compiler before it loads the rest, which imports the compiler.
  build({
    ...module,
    metafile: true,
    entryPoints: { typeChild: at('src/core/fixes/types/typeChild.ts') },
    splitting: true,
    chunkNames: 'typeChild-[hash]',
  }),
  // The process that runs scenarios: one file, which finds Playwright where it is installed.
  build({
    ...module,
    entryPoints: { scenarioWorker: at('src/core/frameworks/scenario/scenarioWorker.ts') },
  }),
  build({ ...page, entryPoints: [at('src/webview/panel.ts')], outfile: at('media/panel.js') }),
  ...(isExtension
    ? []
    : [writeFile(at('dist/report.html'), report), writeFile(at('dist/review.html'), review)]),
  writeFile(at('dist/typescript.js'), requireTypescript),
  build({
    entryPoints: [at('node_modules/typescript/lib/typescript.js')],
    outfile: at('dist/typescript.cjs'),
    // Every start that needs it parses it.
    minify: true,
    target: node.target,
    logLevel: 'warning',
  }),
]);
// Hundreds of files are slow to install and to scan; a bundle that is not packaged keeps its source maps.
if (isExtension) {
  await joinChunks(at('dist'), metafile.outputs, 'server.js');
  await joinHelpers(at('dist'), ofTypes.outputs, 'typeChild.js');
  await writeFile(at('dist/readme.md'), await readmeOfPackage(root));
  await writeFile(at('dist/changelog.md'), await changelogOfPackage(root));
} else await writeTypesOfSkills(at('dist'));
// Files that run inside the user's processes are copied as they are: dependency-free, never bundled.
for (const folder of ['src/core/frameworks', 'src/core/diagnosis', 'src/core/strength']) {
  for (const file of await readdir(at(folder), { recursive: true })) {
    if (/\.(?:cjs|mjs|py|go)$/.test(file)) {
      const target = at('dist/reporters', path.basename(folder), file);
      await mkdir(path.dirname(target), { recursive: true });
      await copyFile(at(folder, file), target);
    }
  }
}
