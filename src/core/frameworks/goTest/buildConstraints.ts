// Which Go files are built here: by the ending of their names, and by the line `//go:build`.

/** Node's names of systems and processors, as Go calls them. */
const systems: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' };
const processors: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };
const goos = systems[process.platform] ?? process.platform;
const goarch = processors[process.arch] ?? process.arch;

const knownSystem =
  /^(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows)$/;
const knownProcessor =
  /^(?:386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)$/;
const unix = /^(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|linux|netbsd|openbsd|solaris)$/;

/** Does `go test` take the file into its package, with the tags of GOFLAGS? A constraint that cannot be read counts as met. */
export function isBuilt(file: string, text: string, goflags = process.env['GOFLAGS'] ?? ''): boolean {
  const parts = file
    .replace(/^.*[\\/]/, '')
    .replace(/(?:_test)?\.go$/, '')
    .split('_')
    .slice(1)
    .slice(-2);
  const last = parts.at(-1) ?? '';
  if (knownProcessor.test(last) && last !== goarch) return false;
  const system = knownProcessor.test(last) ? (parts.at(-2) ?? '') : last;
  if (knownSystem.test(system) && system !== goos) return false;
  const expression = /^(?:\s|\/\/(?!go:build\b)[^\n]*\n|\/\*[^]*?\*\/)*\/\/go:build[ \t]+([^\r\n]+)/.exec(
    text.replace(/^\uFEFF/, ''),
  )?.[1];
  if (expression === undefined) return true;
  const tags = /(?:^|\s)--?tags=(\S+)/.exec(goflags)?.[1]?.split(',') ?? [];
  return evaluate(expression, new Set(tags)) ?? true;
}

function evaluate(expression: string, tags: ReadonlySet<string>): boolean | undefined {
  const words = expression.replace(/\/\/.*$/, '').match(/&&|\|\||[!()]|[\w.]+/g) ?? [];
  let at = 0;
  const any = (): boolean => {
    let result = all();
    while (words[at] === '||') {
      at++;
      const next = all();
      result ||= next;
    }
    return result;
  };
  const all = (): boolean => {
    let result = one();
    while (words[at] === '&&') {
      at++;
      const next = one();
      result &&= next;
    }
    return result;
  };
  const one = (): boolean => {
    const word = words[at++] ?? '';
    if (word === '!') return !one();
    if (word !== '(') return isSet(word, tags);
    const result = any();
    at++;
    return result;
  };
  const result = any();
  return at === words.length ? result : undefined;
}

function isSet(tag: string, tags: ReadonlySet<string>): boolean {
  if (tags.has(tag) || tag === goos || tag === goarch || tag === 'gc' || tag === 'cgo') return true;
  return (tag === 'unix' && unix.test(goos)) || /^go1\.\d+$/.test(tag);
}
