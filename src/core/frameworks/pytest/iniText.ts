// Reads one section of an INI file as pytest does.

/** Values by name, or undefined when the section is not there. Lines that are indented go on with the value above. */
export function iniSection(text: string, section: string): ReadonlyMap<string, string> | undefined {
  let inside = false;
  let found: Map<string, string> | undefined;
  let name: string | undefined;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const header = /^\[([^\]]*)\]/.exec(line);
    if (header) {
      inside = header[1]?.trim() === section;
      name = undefined;
      if (inside) found ??= new Map();
    } else if (inside && /^\s/.test(line)) {
      if (name !== undefined) found?.set(name, `${found.get(name) ?? ''}\n${line.trim()}`.trim());
    } else if (inside) {
      const at = line.search(/[=:]/);
      if (at < 0) continue;
      name = line.slice(0, at).trim();
      found?.set(name, line.slice(at + 1).trim());
    }
  }
  return found;
}
