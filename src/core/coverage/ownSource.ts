// Which files of a workspace count as sources when a framework has no opinion of its own: no tests, nothing installed or generated.

/** Folders and names that c8 and nyc leave out by themselves. */
const leftOut = [
  /(?:^|\/)(?:node_modules|\.git|coverage|__tests__|__mocks__|__fixtures__)\//,
  /^(?:tests?|fixtures|testdata)\//,
  /(?:^|\/)packages\/[^/]+\/tests?\//,
  /(?:^|\/)tests?(?:-[^/]*)?\.[cm]?[jt]sx?$/,
  /[.-](?:test|tests|spec)\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:conftest|test_[^/]*|[^/]*_test)\.py$/,
  /(?:^|\/)\.?venv\//,
  /\.d\.[cm]?ts$/,
  /(?:^|\/)(?:[\w-]+\.config|\.[\w-]+rc)\.[cm]?[jt]s$/,
];

/** A check for paths relative to the root, POSIX; `tests` are the test files, likewise. */
export function createSourceCheck(tests: ReadonlySet<string>): (file: string) => boolean {
  return (file) => !tests.has(file) && !leftOut.some((pattern) => pattern.test(file));
}
