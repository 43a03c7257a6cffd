// Every type of step and strategy in a real Chromium, and what each says when it does not hold.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromiumPath } from '../../../host/vscodeServer.ts';
import { runWorkspace } from '../../../support/runWorkspace.ts';
import { childrenOf, type LivingProcess } from '../../../support/processesIn.ts';
import { scenarioWorkspace, serve, type Served } from '../../../support/scenarioShop.ts';
import type { RunSummary, TestResult } from '../../../../src/core/model/testResult.ts';

const page = `<!doctype html><title>Parts</title><meta charset=utf-8>
<h1>Parts</h1>
<button id=alert onclick="this.textContent = prompt('Your name?')">Ask</button>
<a href="/file" download>Get the list</a>
<label>Picture <input type=file onchange="document.querySelector('#size').textContent = this.files[0].name + ' ' + this.files[0].size"></label><p id=size></p>
<label for=color>Colour</label><select id=color><option value=r>Red</option><option value=b>Blue</option></select>
<input aria-label=Note value=old>
<p class=two>one</p><p class=two>two</p>
<p class=half>seen</p><p class=half hidden>not seen</p>
<div id=late></div><script>setTimeout(() => { late.innerHTML = '<button data-testid=late>Late</button>' }, 1200)</script>
<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<button>In the shadow</button>'</script>
<iframe name=inner srcdoc="<button onclick=&quot;this.textContent='Pressed'&quot;>Framed</button>"></iframe>
<div id=menu onmouseover="document.querySelector('#tip').hidden = false">Menu</div><p id=tip hidden>Tip</p>
<a id=new target=_blank href="/second">New page</a>`;

const locator = (strategies: string, more = ''): string =>
  `locator: { displayName: Element, ${more}strategies: [${strategies}] }`;
const role = (name: string, kind = 'button'): string =>
  locator(`{ type: role, role: ${kind}, name: ${name} }`);
const css = (selector: string): string => locator(`{ type: css, selector: '${selector}' }`);

/** The processes of pages, of the browsers that this process started. */
const renderersOf = (parent: number): readonly LivingProcess[] =>
  childrenOf(parent).flatMap((child) => [
    ...(child.command.includes('--type=renderer') ? [child] : []),
    ...renderersOf(child.pid),
  ]);

describe('steps of a scenario', function () {
  this.timeout(120_000);
  let served: Served;
  before(async function () {
    if (!existsSync(chromiumPath)) {
      if (process.env['CI'] === 'true') throw new Error(`no Chromium at ${chromiumPath}`);
      this.skip();
    }
    served = await serve((request, response) => {
      const url = request.url ?? '/';
      if (url === '/file') {
        response.setHeader('content-disposition', 'attachment; filename="list.csv"');
        response.end('a,b\n');
      } else if (url === '/login') {
        response.setHeader('set-cookie', 'session=s1; Path=/');
        response.end('<title>In</title>');
      } else if (url === '/api/items') {
        response.setHeader('content-type', 'application/json');
        const items = [{ name: 'Green tea', price: 4.5 }];
        response.end(JSON.stringify({ items, cookie: request.headers.cookie ?? '', method: request.method, user: { fullName: 'Anna' } })); // prettier-ignore
      } else if (url === '/crash') {
        for (const { pid } of renderersOf(process.pid)) process.kill(pid, 'SIGKILL');
      } else if (url === '/loop') {
        response.statusCode = 302;
        response.setHeader('location', '/loop');
        response.end();
      } else {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(url === '/second' ? '<title>Second</title><h1>Second page</h1>' : page);
      }
    });
  });
  after(() => served?.close());

  async function run(
    steps: string,
    more: Parameters<typeof scenarioWorkspace>[2] = {},
  ): Promise<{
    readonly test: TestResult;
    readonly summary: RunSummary;
    readonly read: (file: string) => string;
  }> {
    // prettier-ignore
    const workspace = await scenarioWorkspace(served.url, steps, more);
    try {
      await writeFile(path.join(workspace.root, 'picture.txt'), 'twelve signs');
      const { summary } = await runWorkspace(workspace.root);
      const [test] = summary.tests;
      assert.ok(test, summary.notes.join('\n'));
      const texts = new Map<string, string>();
      for (const file of ['.fingerprints/one.json'])
        if (existsSync(path.join(workspace.root, file))) texts.set(file, readFileSync(path.join(workspace.root, file), 'utf8')); // prettier-ignore
      const found = /Page: (.+)/.exec(test.failure?.message ?? '')?.[1];
      if (found !== undefined) texts.set('page', readFileSync(found, 'utf8'));
      return { test, summary, read: (file) => texts.get(file) ?? '' };
    } finally {
      await workspace.dispose();
    }
  }

  const open = '- { type: navigate, config: { url: / } }\n';

  it('does all that people do on a page', async () => {
    const { test, summary } = await run(`${open}
- { type: click, config: { ${role('Ask')}, dialog: { action: accept, text: Bea, message: name } } }
- { type: assert, config: { assertion: text, value: Bea, ${css('#alert')} } }
- { type: click, config: { ${role('Get the list', 'link')}, download: { fileName: list.csv } } }
- { type: fill, config: { files: picture.txt, ${locator('{ type: label, value: Picture }')} } }
- { type: assert, config: { assertion: text, value: picture.txt 12, ${css('#size')} } }
- { type: select, config: { label: Blue, ${locator('{ type: label, value: Colour }')} } }
- { type: assert, config: { assertion: value, value: b, ${css('#color')} } }
- { type: fill, config: { value: ' new', clear: false, ${role('Note', 'textbox')} } }
- { type: assert, config: { assertion: value, value: new, matcher: contains, ${role('Note', 'textbox')} } }
- { type: hover, config: { ${css('#menu')} } }
- { type: assert, config: { assertion: visible, ${locator('{ type: text, value: Tip, exact: true }')} } }
- { type: assert, config: { assertion: attribute, attribute: target, value: _blank, ${css('#new')} } }
- { type: script, config: { script: 'return { sum: args.a + 1, node: typeof process }', args: { a: 2 }, saveResultAs: result } }
- { type: fill, config: { value: '{{result.sum}} {{result.node}}', ${role('Note', 'textbox')} } }
- { type: assert, config: { assertion: value, value: 3 undefined, ${role('Note', 'textbox')} } }
- { type: screenshot, config: { name: all, fullPage: true } }
- { type: click, config: { ${css('#new')} } }
- { type: assert, config: { assertion: title, value: Second } }
- { type: assert, config: { assertion: url, pattern: /second } }`);
    assert.equal(test.outcome, 'passed', test.failure?.message);
    assert.deepEqual(summary.notes.filter((note) => /dialog|new page/.test(note)), ['One: A new page was opened: the next steps go on in it.']); // prettier-ignore
  });

  it('looks into frames and shadow roots, and waits for what comes late', async () => {
    const { test } = await run(`${open}
- { type: click, config: { ${locator('{ type: role, role: button, name: Framed }', "frame: 'iframe[name=inner]', ")} } }
- { type: assert, config: { assertion: visible, ${locator('{ type: text, value: Pressed }', 'frame: iframe, ')} } }
- { type: click, config: { ${role('In the shadow')} } }
- { type: click, config: { ${locator('{ type: testId, value: late, timeout: 2500 }, { type: text, value: Ask }')} } }`);
    assert.equal(test.outcome, 'passed', test.failure?.message);
    assert.equal(test.healed, undefined, 'a page that is slow is not healed');
  });

  it('takes none of several matches, unless one alone can be seen or nth says which', async () => {
    const { test } = await run(`${open}
- { type: assert, config: { assertion: text, value: two, ${locator("{ type: css, selector: '.two', nth: -1 }")} } }
- { type: assert, config: { assertion: text, value: seen, ${css('.half')} } }
- { id: both, type: click, timeout: 1200, config: { ${css('.two')} } }`);
    assert.equal(test.outcome, 'failed');
    assert.match(
      test.failure?.message ?? '',
      /both: "Element" was not found\.\n  css=\.two: 2 elements match\n/,
    );
    assert.equal(test.failure?.location?.line, 9);
  });

  it('speaks with an API, with the cookies of the browser or without', async () => {
    const { test } = await run(`- { type: navigate, config: { url: /login } }
- { type: api-request, config: { url: /api/items, method: POST, body: { a: 1 }, saveResponseAs: items } }
- { type: api-assert, config: { assertion: status, value: 200 } }
- { type: api-assert, config: { assertion: body, path: 'items[0].price', value: 4.5 } }
- { type: api-assert, config: { assertion: body, path: $.items, matcher: type, value: array } }
- { type: api-assert, config: { assertion: body, path: items, matcher: contains, value: { name: Green tea } } }
- { type: api-assert, config: { assertion: body, path: cookie, value: session=s1 } }
- { type: api-assert, config: { assertion: body, path: gone, matcher: exists, value: false } }
- { type: api-assert, config: { assertion: header, header: Content-Type, matcher: matches, value: '^application/json' } }
- { type: api-request, config: { url: '/api/items?{{items.body.method}}', cookies: none } }
- { type: api-request, config: { url: /api/items, cookies: none } }
- { type: api-assert, config: { assertion: body, path: cookie, value: '' } }
- { id: renamed, type: api-assert, config: { assertion: body, path: user.fullname, value: Anna } }
- { id: wrong, type: api-assert, continueOnError: true, config: { assertion: body, path: 'items[0].price', value: 5 } }
- { id: after, type: api-assert, config: { assertion: status, value: 200 } }`);
    assert.equal(test.outcome, 'failed', 'a step that went on leaves the scenario failed');
    assert.equal(test.moreFailures, undefined);
    const { message = '', expected, actual } = test.failure ?? {};
    assert.match(message, /^wrong: The body at items\[0\]\.price is 4\.5, expected 5\./);
    assert.deepEqual([expected, actual], ['5', '4.5']);
    assert.deepEqual(test.healed?.map(({ step, original, used }) => [step, original, used]), [['renamed', 'user.fullname', 'user.fullName']]); // prettier-ignore
  });

  it('has components with parameters, setup and teardown, and names what is missing', async () => {
    const { test } = await run(`- { id: first, type: click, timeout: 600, config: { ${role('Nothing')} } }
- { id: second, type: click, config: { ${role('Ask')} } }`, { head: `setup: [{ type: navigate, config: { url: / } }]
teardown: [{ id: bye, type: fill, config: { value: '{{gone.away}}', ${role('Note', 'textbox')} } }]` }); // prettier-ignore
    assert.equal(test.outcome, 'failed');
    assert.match(test.failure?.message ?? '', /first: "Element" was not found/);
    assert.match(
      test.moreFailures?.[0]?.message ?? '',
      /^bye: The variable \{\{gone\.away\}\} has no value\./,
    );
    assert.match(test.output ?? '', /- second/);
    const unknown = await run('- { type: component, config: { component: logn } }');
    assert.match(unknown.test.failure?.message ?? '', /There is no component "logn"\. Known: none\./);
  });

  it('hides secrets in what it tells and keeps', async () => {
    const head = 'variables: [{ name: password, defaultValue: correct-horse-7 }]';
    const { test, read } = await run(`${open}
- { type: fill, config: { value: '{{password}}', ${role('Note', 'textbox')} } }
- { type: script, config: { script: "document.querySelector('h1').textContent = args.p", args: { p: '{{password}}' } } }
- { type: assert, description: Not correct-horse-7, timeout: 500, config: { assertion: text, value: other, ${css('h1')} } }`, { head }); // prettier-ignore
    assert.equal(test.failure?.actual, '[redacted]');
    assert.match(read('page'), /<h1>\[redacted\]<\/h1>/);
    assert.doesNotMatch(JSON.stringify(test), /correct-horse|Trace:/);
  });

  it('says what is wrong with an address: a dead port, an endless redirect, another origin, a file', async () => {
    const failure = async (url: string, config = ''): Promise<string> =>
      (await run(`- { id: go, type: navigate, config: { url: '${url}' } }`, { config })).test.failure
        ?.message ?? '';
    assert.match(
      await failure('http://127.0.0.1:59998/'),
      /Nothing answers at http:\/\/127\.0\.0\.1:59998\/\. Start the application/,
    );
    assert.match(await failure('/loop'), /\/loop redirects without an end/);
    assert.match(await failure('file:///etc/passwd'), /Files of this machine are not opened/);
    const allowed = `allowedOrigins: ['https://shop.example']\n`;
    assert.match(
      await failure('/', allowed),
      /is outside of the allowed origins \(https:\/\/shop\.example\)/,
    );
  });

  it('ends a page that hangs or crashes in time', async () => {
    const hung = await run(
      `${open}- { id: stop, type: script, timeout: 1000, config: { script: 'for (;;);' } }`,
    );
    assert.match(hung.test.failure?.message ?? '', /stop: The step took longer than 1500 ms/);
    const crash = `- { id: crash, type: script, config: { script: "return fetch('/crash')" } }`;
    const crashed = await run(`${open}${crash}`);
    assert.match(crashed.test.failure?.message ?? '', /crash: The page crashed\./);
    const own = await run('- { id: go, type: navigate, config: { url: "chrome://crash" } }');
    assert.match(own.test.failure?.message ?? '', /not allowed/);
  });
});
