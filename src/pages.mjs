// The pages of ours that load nothing: script and style lie in the one file, and by its policy no others run.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import path from 'node:path';

/** The template of the HTML report, with a place for the data. `root`: folder of the package; `options`: those of esbuild that all pages share. */
export const reportPage = (root, options) =>
  pageInOneFile(root, options, {
    script: 'src/webview/report/main.ts',
    styles: ['node_modules/uplot/dist/uPlot.min.css', 'media/panel.css', 'media/report.css'],
    title: 'Test report',
    body: `<main aria-label="Test report"><p>This report needs JavaScript.</p></main>
<script type="application/json" id="data">"testmend:data"</script>`,
  });

/** The review of fixes, for chats that show pages of MCP servers. */
export const reviewPage = (root, options) =>
  pageInOneFile(root, options, {
    script: 'src/webview/app.ts',
    styles: ['media/panel.css', 'media/app.css'],
    title: 'Testmend: Review of Fixes',
    body: '<main aria-label="Review of fixes" class="waiting"><p class="opening">Looking for fixes, and proving each in a copy…</p></main>',
  });

async function pageInOneFile(root, options, { script, styles, title, body }) {
  const shared = { minify: true, write: false, logLevel: 'warning' };
  const imports = styles.map((file) => `@import ${JSON.stringify(`./${file}`)};`).join('\n');
  const [{ outputFiles: scripts }, { outputFiles: sheets }] = await Promise.all([
    build({
      ...options,
      ...shared,
      entryPoints: [path.join(root, script)],
      sourcemap: false,
      charset: 'ascii',
    }),
    build({ ...shared, stdin: { contents: imports, loader: 'css', resolveDir: root }, bundle: true }),
  ]);
  const code = scripts[0].text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--').trim();
  const style = sheets[0].text.trim();
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(code)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${code}</script>
</body>
</html>
`;
}
