// Makes the template of the HTML report: its script and its style in one page that loads nothing, with a place for the data.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The page as text. `root` is the folder of the package, `options` those of esbuild that all pages share. */
export async function reportPage(root, options) {
  const at = (...parts) => path.join(root, ...parts);
  const { outputFiles } = await build({
    ...options,
    entryPoints: [at('src/webview/report/main.ts')],
    minify: true,
    sourcemap: false,
    write: false,
    charset: 'ascii',
  });
  const script = outputFiles[0].text.replaceAll('</script', '<\\/script').trim();
  const sheets = ['node_modules/uplot/dist/uPlot.min.css', 'media/panel.css', 'media/report.css'];
  const styles = await Promise.all(sheets.map((sheet) => readFile(at(sheet), 'utf8')));
  const style = styles.join('\n');
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Test report</title>
<style>${style}</style>
</head>
<body>
<main aria-label="Test report"><p>This report needs JavaScript.</p></main>
<script type="application/json" id="data">"testmend:data"</script>
<script>${script}</script>
</body>
</html>
`;
}
