// Tests inside a source file: only their `import.meta.vitest` block belongs to the tests.
import ts from 'typescript';
import type { FileFacts, Finding } from './fileFacts.ts';
import { lineOf } from './parseSource.ts';

/** Everything outside the blocks must stay as it is, to the letter. */
export function* inSourceRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const blocks = testBlocks(before.source);
  if (blocks.length === 0) return;
  const now = testBlocks(after.source);
  if (outside(before.text, blocks) === outside(after.text, now)) return;
  const [first] = now;
  const line = first === undefined ? 1 : lineOf(first);
  yield {
    rule: 'only-test-files',
    line,
    text: 'A fix may change only the import.meta.vitest block, not the source around it.',
  };
}

function testBlocks(source: ts.SourceFile): readonly ts.IfStatement[] {
  return source.statements.filter(
    (statement): statement is ts.IfStatement =>
      ts.isIfStatement(statement) &&
      /^import\s*\.\s*meta\s*\.\s*vitest$/.test(statement.expression.getText()),
  );
}

function outside(text: string, blocks: readonly ts.IfStatement[]): string {
  let result = '';
  let position = 0;
  for (const block of blocks) {
    result += text.slice(position, block.thenStatement.getStart()) + '\u0000';
    position = block.thenStatement.end;
  }
  return result + text.slice(position);
}
