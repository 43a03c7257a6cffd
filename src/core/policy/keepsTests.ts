// Does a change leave every test and suite of a file its name and its place among the others?
import { sidesOf, type FileChange } from './fileFacts.ts';

export function keepsTests(change: FileChange): boolean {
  if (change.before === undefined || change.after === undefined) return false;
  if (!/\.[cm]?[jt]sx?$/.test(change.file)) return true;
  const [was, is] = sidesOf(change).map(({ tree }) =>
    tree.definitions.map(({ kind, key }) => `${kind} ${key}`),
  );
  return was?.join('\n') === is?.join('\n');
}
