// Leaves files alone that a program writes: what is mended in them is gone with the next time it does.
import type { Fix } from '../model/fix.ts';
import type { FixContext } from './fixProvider.ts';

/** The fixes that edit no generated file; of the others each failing test is told why there is none. */
export async function withoutGenerated(fixes: readonly Fix[], context: FixContext): Promise<readonly Fix[]> {
  const kept: Fix[] = [];
  for (const fix of fixes) {
    const generated: string[] = [];
    for (const { file } of fix.edits)
      if (isGenerated((await context.readText(file)) ?? '')) generated.push(file);
    if (generated.length === 0) kept.push(fix);
    else
      for (const id of fix.failures)
        context.refuse?.(
          id,
          `${generated.join(', ')} is marked as generated: change the file that it is generated from.`,
        );
  }
  return kept;
}

/** By the comments before its code: Go's `// Code generated … DO NOT EDIT.`, `@generated`, and their like. */
export function isGenerated(text: string): boolean {
  let isInside = false;
  for (const line of text.slice(0, 4000).split('\n')) {
    const said = line.replace('\uFEFF', '').trim();
    if (!isInside && !/^(?:$|\/\/|#|\/\*)/.test(said)) return false;
    if (/@generated\b|\bgenerated\b.*\bdo not (?:edit|modify)\b/i.test(said)) return true;
    if (said.startsWith('/*')) isInside = true;
    if (said.includes('*/')) isInside = false;
  }
  return false;
}
