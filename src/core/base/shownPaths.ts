// Texts that are handed to others name no folders of this machine.
import { homedir } from 'node:os';

/** Files below the root by their relative path, the root itself as `.`, the home folder as `~`. */
export function shownPaths(text: string, root: string, home: string = homedir()): string {
  return withoutFolder(withoutFolder(text, root, '', '.'), home, '~/', '~');
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
