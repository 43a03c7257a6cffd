// Run in a project: writes what `vitest list` collects, with lines and skipped tests, to LISTED_TESTS_FILE.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const resolve = createRequire(path.join(process.cwd(), 'package.json')).resolve;
const { createVitest } = await import(pathToFileURL(resolve('vitest/node')).href);
const vitest = await createVitest('test', {
  watch: false,
  run: true,
  includeTaskLocation: true,
  coverage: { enabled: false },
  ...JSON.parse(process.argv[2] ?? '{}'),
});
const { testModules, unhandledErrors } = await vitest.collect([]);

function namesOf(test) {
  const names = [test.name];
  for (let suite = test.parent; suite.type === 'suite'; suite = suite.parent) names.unshift(suite.name);
  return names;
}

const tests = [];
const leftOut = [];
for (const module of testModules) {
  const file = module.moduleId;
  const [error] = module.errors();
  if (error) leftOut.push({ file, why: String(error.message) });
  for (const test of module.children.allTests())
    tests.push({ file, project: module.project.name, names: namesOf(test), line: test.location?.line });
}
// A file whose environment does not load has no module, and its error names it at most in its text.
const [error] = unhandledErrors;
const loaded = new Set(testModules.map(({ moduleId }) => moduleId));
const specifications = error ? await vitest.globTestSpecifications([]) : [];
for (const { moduleId: file } of specifications)
  if (!loaded.has(file)) leftOut.push({ file, why: String(error.cause?.message ?? error.message) });
writeFileSync(process.env.LISTED_TESTS_FILE, JSON.stringify({ tests, leftOut }));
await vitest.close();
process.exit();
