// The graph that stays: in step with the disk however files change, and nothing read again that did not.
import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { DependencyGraph } from '../../../src/core/modules/dependencyGraph.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('the dependency graph', () => {
  let workspace: TemporaryWorkspace;
  let graph: DependencyGraph;
  afterEach(() => workspace.dispose());

  const roots = [
    { file: 'a.test.ts', configs: [] },
    { file: 'b.test.ts', configs: [] },
  ];
  const given = async (files: Record<string, string>): Promise<void> => {
    workspace = await temporaryWorkspace(files);
    graph = new DependencyGraph(workspace.root);
    assert.deepEqual([...(await graph.update(roots))], []);
  };
  const update = async (): Promise<readonly string[]> => [...(await graph.update(roots))].sort();
  const testsOf = (file: string): readonly string[] =>
    [...graph.dependents([file])].filter((one) => one.endsWith('.test.ts')).sort();

  it('follows edits of imports, and tells only contents that changed', async () => {
    await given({
      'a.test.ts': `import './one';`,
      'b.test.ts': `import './two';`,
      'one.ts': '',
      'two.ts': '',
      'three.ts': '',
    });
    await workspace.write('one.ts', `import './three';`);
    await workspace.write('two.ts', '');
    assert.deepEqual(await update(), ['one.ts']);
    assert.deepEqual(testsOf('three.ts'), ['a.test.ts']);
    await workspace.write('a.test.ts', '');
    await workspace.write('b.test.ts', `import './one';`);
    assert.deepEqual(await update(), ['a.test.ts', 'b.test.ts']);
    assert.deepEqual(testsOf('three.ts'), ['b.test.ts']);
    assert.deepEqual(await update(), []);
  });

  it('sees files that come, go, move and stand before others', async () => {
    await given({
      'a.test.ts': `import './lib/money';`,
      'b.test.ts': `import './late/one';`,
      'lib/money/index.ts': '',
      'old.ts': '',
    });
    assert.deepEqual(testsOf('lib/money/index.ts'), ['a.test.ts']);
    await workspace.write('lib/money.ts', '');
    await workspace.write('late/one.ts', `import '../old';`);
    await update();
    assert.deepEqual(testsOf('lib/money.ts'), ['a.test.ts']);
    assert.deepEqual(testsOf('old.ts'), ['b.test.ts']);
    await rm(path.join(workspace.root, 'lib/money.ts'));
    await rename(path.join(workspace.root, 'late'), path.join(workspace.root, 'early'));
    assert.deepEqual(await update(), ['late/one.ts', 'lib/money.ts']);
    assert.deepEqual(testsOf('lib/money/index.ts'), ['a.test.ts']);
    assert.deepEqual(graph.namers('late/one.ts'), ['b.test.ts']);
    assert.deepEqual(testsOf('early/one.ts'), []);
  });

  it('resolves anew when a tsconfig, a package.json or node_modules changed', async () => {
    await given({
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./one/*"] } } }',
      'a.test.ts': `import '@/x';`,
      'b.test.ts': `import 'pkg';`,
      'one/x.ts': '',
      'two/x.ts': '',
    });
    assert.deepEqual(testsOf('one/x.ts'), ['a.test.ts']);
    await workspace.write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./two/*"] } } }');
    await workspace.write('package.json', '{ "name": "pkg", "exports": "./two/x.ts" }');
    await update();
    assert.deepEqual(testsOf('one/x.ts'), []);
    assert.deepEqual(testsOf('two/x.ts'), ['a.test.ts', 'b.test.ts']);
  });
});
