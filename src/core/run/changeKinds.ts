// What a changed file is to tests, by its name: a source, a configuration of all tests below, data, or nothing to them.
import path from 'node:path';

export type TestLanguage = 'js' | 'py' | 'go';

/** config: every test below its folder may behave otherwise, of one language or of all. */
type ChangeKind =
  | { readonly kind: 'source' | 'data' | 'none' }
  | { readonly kind: 'config'; readonly language?: TestLanguage };

/** `file` is relative, POSIX. */
export function changeKind(file: string): ChangeKind {
  const name = path.posix.basename(file);
  if (ofNoTest.test(file) || toolConfig.test(name)) return { kind: 'none' };
  if (jsConfig.test(name)) return { kind: 'config', language: 'js' };
  if (pyConfig.test(name)) return { kind: 'config', language: 'py' };
  if (goConfig.test(name)) return { kind: 'config', language: 'go' };
  if (anyConfig.test(name)) return { kind: 'config' };
  return { kind: languageOfFile(file) === undefined ? 'data' : 'source' };
}

export function languageOfFile(file: string): TestLanguage | undefined {
  if (/\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(file)) return 'js';
  if (/\.pyi?$/.test(file)) return 'py';
  return file.endsWith('.go') ? 'go' : undefined;
}

/** A folder with one of these is a project of its own: who reads unknown data most likely lives there. */
export const projectMarks: readonly string[] = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'go.mod',
];

/** What only people, editors and servers read. */
const ofNoTest =
  /(?:^|\/)(?:\.github|\.gitlab|\.circleci|\.husky|\.vscode|\.idea|\.testmend|\.changeset|\.git)\/|(?:^|\/)(?:(?:LICEN[CS]E|NOTICE|AUTHORS|CODEOWNERS|CHANGELOG|CONTRIBUTING|README)(?:\.\w+)?|\.git(?:ignore|attributes|modules)|\.(?:npm|docker|prettier|eslint)ignore|\.editorconfig|\.DS_Store)$/i;
/** Of tools that do not run with the tests. */
const toolConfig =
  /^(?:\.?(?:eslint|prettier|stylelint|commitlint|lint-?staged|oxlint|release|renovate|markdownlint|cspell|biome)(?:rc|\.config)?(?:\.\w+)*|\.(?:eslint|prettier|stylelint|oxlint|lintstaged|commitlint)rc(?:\.\w+)?|\.pre-commit-config\.yaml|ruff\.toml|mypy\.ini|\.golangci\.ya?ml)$/;
const jsConfig =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-(?:lock|workspace)\.yaml|bun\.lockb?|lerna\.json|nx\.json|turbo\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnp\.[\w.]+|[jt]sconfig(?:[.-][\w-]+)*\.json|(?:[\w-]+\.)+(?:config|workspace|preset)\.(?:[mc]?[jt]s|json)|\.(?:mocha|babel|swc|nyc|c8)rc(?:\.\w+)?|\.nvmrc|\.node-version|deno\.jsonc?)$/;
const pyConfig =
  /^(?:pyproject\.toml|setup\.(?:py|cfg)|pytest\.ini|tox\.ini|requirements[\w.-]*\.(?:txt|in)|Pipfile(?:\.lock)?|poetry\.lock|uv\.lock|pdm\.lock|\.coveragerc|\.python-version|environment\.ya?ml)$/;
const goConfig = /^(?:go\.(?:mod|sum|work|work\.sum))$/;
const anyConfig = /^(?:\.env(?:\.[\w.-]+)?|\.envrc|\.tool-versions|mise\.toml|\.mise\.toml)$/;
