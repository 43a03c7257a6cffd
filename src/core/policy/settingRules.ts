// What a file says of where its tests run, which library its expectations are of, and how its modules are mocked stays as it is.
import ts from 'typescript';
import type { FileFacts, Finding } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';

export function* settingRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  if (environments(before) !== environments(after))
    yield {
      rule: 'test-api-tampering',
      line: 1,
      text: 'The tests of the file would run in another environment.',
    };
  if (isOfChai(before) !== isOfChai(after))
    yield { rule: 'redirected-import', line: 1, text: 'The assertions would come from another library.' };
  yield* mockOptions(before, after);
}

/** Both runners know the same environments, each under its own name. */
function environments({ text }: FileFacts): string {
  const found = text.matchAll(/@(?:jest|vitest)-(environment(?:-options)?)\s+([^\s*]+)/g);
  return [...found].map(([, setting, value]) => `${setting} ${value}`).join();
}

const isOfChai = ({ bindings }: FileFacts): boolean => bindings.imports.get('expect')?.module === 'chai';

const mockOptions = noNewMarks(function* ({ source, tree }: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  visitNodes(source, (node) => {
    if (
      !ts.isCallExpression(node) ||
      !/^(?:vi|vitest|jest)\.(?:mock|doMock)$/.test(node.expression.getText())
    )
      return;
    const options = node.arguments.slice(1).map(unwrap).filter(ts.isObjectLiteralExpression);
    const text = 'A module is mocked with options that the mock did not have before.';
    for (const option of options)
      marks.push({
        rule: 'mocked-source',
        owner: tree.ownerOf(node),
        key: option.getText(),
        line: lineOf(node),
        text,
      });
  });
  yield* marks;
});
