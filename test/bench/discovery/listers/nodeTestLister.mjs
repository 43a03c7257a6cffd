// A reporter for `node --test`: prints each test with its suites, file and line as a line of JSON.
export default async function* list(events) {
  /** Tests and suites that have ended and whose parent has not, by depth: a parent is told after its children. */
  const ended = [];
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, nesting, file, line, details } = data;
    const below = (ended[nesting + 1] ?? []).map((test) => ({ ...test, names: [name, ...test.names] }));
    ended[nesting + 1] = [];
    const own = details.type === 'suite' ? [] : [{ names: [name], file, line }];
    (ended[nesting] ??= []).push(...own, ...below);
    if (nesting > 0) continue;
    for (const test of ended[0]) yield `${JSON.stringify(test)}\n`;
    ended[0] = [];
  }
}
