// A change that nobody vouches for may give a test no new capability: it is run outside of any jail, and could do anything with one.
import path from 'node:path';
import { capabilitiesOf } from './capabilityFacts.ts';
import { sidesOf, type FileChange, type Finding } from './fileFacts.ts';
import { moduleFiles } from './moduleFiles.ts';
import { lineOf } from './parseSource.ts';
import type { ReadSource } from './repointedImports.ts';
import { isTestLibrary } from './testApi.ts';

/**
 * What a changed file of JavaScript or TypeScript can reach that it could not before. `changed`: all files of the change, none of which
 * may be newly imported. Other languages have judges that read nothing but written values and names.
 */
export function* newCapabilities(
  change: FileChange,
  changed: ReadonlySet<string>,
  readSource: ReadSource | undefined,
): Generator<Finding> {
  const { file, after } = change;
  if (after === undefined || !/\.[cm]?[jt]sx?$/.test(file)) return;
  const [was, is] = sidesOf(change);
  const known = new Set(capabilitiesOf(was).map(({ key }) => key));
  for (const { key, node, does } of capabilitiesOf(is)) {
    if (known.has(key) || isKnownModule(key, file, changed, readSource)) continue;
    const [line = ''] = node.getText().split('\n', 1);
    const text = `\`${line.slice(0, 60)}\` ${does}, which the test did not do before.`;
    yield { rule: 'new-capability', line: lineOf(node), text };
  }
}

/** A test library, or a file of the workspace that the change leaves as it is. */
function isKnownModule(
  key: string,
  file: string,
  changed: ReadonlySet<string>,
  readSource: ReadSource | undefined,
): boolean {
  if (!key.startsWith('module ')) return false;
  const module = key.slice('module '.length);
  if (isTestLibrary(module)) return true;
  if (!module.startsWith('.') || module.split('/').includes('node_modules')) return false;
  if (path.posix.join(path.posix.dirname(file), module).startsWith('..')) return false;
  // Nothing is known of files that cannot be read; the runs tell whether they are there.
  const found = moduleFiles(module, file).find((one) => changed.has(one) || readSource?.(one) !== undefined);
  return found === undefined ? readSource === undefined : !changed.has(found);
}
