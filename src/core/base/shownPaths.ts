// Texts that are handed to others name neither the workspace's folder nor its user.
import { homedir, tmpdir } from 'node:os';

/**
 * Files below the root by their relative path, the root itself as `.`, the home folder as `~`, that of temporary files as `<tmp>`,
 * and no names of users in homes of others.
 */
export function shownPaths(text: string, root: string, home: string = homedir()): string {
  const own = withoutFolder(withoutFolder(text, root, '', '.'), home, '~/', '~');
  return withoutFolder(own, tmpdir(), '<tmp>/', '<tmp>')
    .replace(/\bpytest-of-[\w.-]+/g, 'pytest-of-user')
    .replace(/((?:^|[\s"'`(=:])(?:\/home|\/Users|[A-Za-z]:[\\/]+Users)[\\/]+)[^\s\\/"'`:)]+/g, '$1user');
}

function withoutFolder(text: string, folder: string, prefix: string, itself: string): string {
  if (!/[^/\\]/.test(folder)) return text;
  const spellings = new Set([folder, folder.replaceAll('\\', '/'), folder.replaceAll('\\', '\\\\')]);
  return [...spellings].reduce((result, spelling) => {
    // Not the beginning of another folder's name.
    const name = spelling.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    return result
      .replace(new RegExp(String.raw`(?:file:\/{2,3})?${name}[\\/]+`, 'g'), () => prefix)
      .replace(new RegExp(String.raw`(?:file:\/{2,3})?${name}(?![\w-]|\.\w)`, 'g'), () => itself);
  }, text);
}
