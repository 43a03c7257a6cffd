// Makes the pages that the extension shows in VS Code. It shows each alone, without images, and follows no link to a file: the pages of
// the manual stand in the readme.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** For users; what is for contributors is not taken along. */
const pages = [
  'running',
  'frameworks',
  'settings',
  'fixers',
  'trust',
  'policy',
  'models',
  'cli',
  'ci',
  'events',
  'sessions',
  'replay',
  'compatibility',
].map((name) => `docs/${name}.md`);

/** `root` holds README.md and docs/. */
export async function readmeOfPackage(root) {
  const anchors = new Map();
  const taken = new Set();
  const texts = [];
  for (const file of ['README.md', ...pages]) {
    const text = await readFile(path.join(root, file), 'utf8');
    texts.push([file, withOwnHeadings(text, file, { anchors, taken })]);
  }
  return texts.map(([file, text]) => withoutFileLinks(text, file, anchors)).join('\n\n---\n\n');
}

/** The changes, whose links stay as words. */
export async function changelogOfPackage(root) {
  return withoutFileLinks(await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'), 'CHANGELOG.md', new Map());
}

/**
 * VS Code does not number equal headings: one that an earlier page has gets the title of its own page behind it. `anchors` gets where each
 * file, and each heading by its name in its own page, is in the whole.
 */
function withOwnHeadings(text, file, { anchors, taken }) {
  const inPage = new Map();
  let isCode = false;
  let title;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      const [, marks, heading] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
      if (isCode || heading === undefined) return line;
      title ??= heading;
      const slug = slugOf(heading);
      const times = inPage.get(slug) ?? 0;
      inPage.set(slug, times + 1);
      let own = taken.has(slug) ? `${heading} (${title})` : heading;
      for (let count = 2; taken.has(slugOf(own)); count++) own = `${heading} (${title}, ${count})`;
      taken.add(slugOf(own));
      if (!anchors.has(file)) anchors.set(file, slugOf(own));
      anchors.set(`${file}#${slug}${times === 0 ? '' : `-${times}`}`, slugOf(own));
      return `${marks} ${own}`;
    })
    .join('\n');
}

/** As VS Code and GitHub name headings. */
function slugOf(heading) {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .trim()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Links to pages lead to their place in the whole; what is not in it stays as words. Images go. */
function withoutFileLinks(text, file, anchors) {
  const withoutImages = text.replaceAll(/^[ \t]*!\[[^\]]*\]\([^)]*\)\n\n?/gm, '');
  return withoutImages.replaceAll(/\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g, (link, words, target) => {
    if (/^[a-z]+:/.test(target)) return link;
    const [place, heading] = target.split('#');
    const page = place === '' ? file : path.posix.join(path.posix.dirname(file), place);
    const anchor = anchors.get(heading === undefined ? page : `${page}#${heading}`);
    return anchor === undefined ? words : `[${words}](#${anchor})`;
  });
}
