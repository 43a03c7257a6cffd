// The profile of a real `go test`, held against the share that Go itself prints.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readGoProfile } from '../../../src/core/coverage/goProfile.ts';
import { mergeCoverage } from '../../../src/core/coverage/mergeCoverage.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { runWorkspace } from '../../support/runWorkspace.ts';
import { drawFile } from '../../support/coverageSource.ts';

describe('a coverage profile of Go', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let printed: string;
  let profile: string;

  before(async function () {
    workspace = await temporaryWorkspace({
      'go.mod': 'module example.com/shop\n\ngo 1.20\n',
      'price/price.go':
        'package price\n\nfunc Shipping(total int) int {\n\tif total > 50 {\n\t\treturn 0\n\t}\n\treturn 5\n}\n\nfunc Never() int {\n\treturn 1\n}\n',
      'price/price_test.go':
        'package price\n\nimport "testing"\n\nfunc TestShipping(t *testing.T) {\n\tif Shipping(3) != 5 {\n\t\tt.Fatal("no")\n\t}\n}\n',
      'cart/cart_test.go':
        'package cart\n\nimport (\n\t"testing"\n\n\t"example.com/shop/price"\n)\n\nfunc TestCart(t *testing.T) {\n\tprice.Shipping(60)\n}\n',
    });
    const out = path.join(workspace.root, 'profile.out');
    try {
      printed = execFileSync(
        'go',
        ['test', '-count=1', '-covermode=count', '-coverpkg=./...', `-coverprofile=${out}`, './...'],
        { cwd: workspace.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      );
    } catch (error) {
      if (process.env['CI'] === 'true' || !String(error).includes('ENOENT')) throw error;
      console.log('skipped: there is no go here');
      this.skip();
    }
    profile = await readFile(out, 'utf8');
  });
  after(() => workspace?.dispose());

  it('gives each block its lines and statements, added up over the packages that ran them', () => {
    const [file, more] = readGoProfile(profile, (name) => name.replace('example.com/shop/', ''));
    assert.ok(file);
    assert.equal(more, undefined);
    assert.equal(file.file, 'price/price.go');
    assert.equal(drawFile(file).lines, '3:2 4:2 5:1 6:1 7:1 10:0 11:0 12:0');
    const { totals } = mergeCoverage([[file]]);
    assert.deepEqual(totals.statements, { covered: 3, total: 4 });
    // Each package prints its own share: the tests of price leave the early return out, those of cart the late one.
    assert.equal([...printed.matchAll(/coverage: 50\.0% of statements/g)].length, 2, printed);
  });

  it('is made by a run with coverage', async () => {
    const { summary } = await runWorkspace(workspace.root, { coverage: {} });
    assert.deepEqual([summary.passed, summary.errored, summary.notes], [2, 0, []]);
    assert.deepEqual(
      summary.coverage?.files.map((file) => [file.file, drawFile(file).lines]),
      [['price/price.go', '3:2 4:2 5:1 6:1 7:1 10:0 11:0 12:0']],
    );
  });

  it('leaves out what is not wanted, and reads nothing from another text', () => {
    assert.deepEqual(
      readGoProfile(profile, () => undefined),
      [],
    );
    assert.deepEqual(
      readGoProfile('mode: set\nbroken 1 2\n', (name) => name),
      [],
    );
  });
});
