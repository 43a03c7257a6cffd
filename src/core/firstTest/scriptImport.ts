// How a first test gets at a JavaScript or TypeScript module: the specifier, and the names it has in the test.
import path from 'node:path';
import { isInside, toPosix } from '../base/paths.ts';
import type { ModuleResolver } from '../modules/moduleResolver.ts';
import type { ScriptSubject } from './scriptSubject.ts';
import type { ScriptStyle } from './scriptStyle.ts';
import { stemOf, type Exported } from './subject.ts';

interface SpecifierRequest {
  /** Absolute. */
  readonly source: string;
  readonly place: string;
  readonly style: Pick<ScriptStyle, 'endings' | 'specifiers'>;
  readonly resolver: ModuleResolver;
  /** Node itself loads the test as an ES module: it reads specifiers as parts of URLs. */
  readonly isUrl: boolean;
}

/** As the tests around would write it: by an alias where they use one, with the ending that they give. */
export function specifierOf({ source, place, style, resolver, isUrl }: SpecifierRequest): string {
  const folder = path.dirname(place);
  const forms = style.endings.map((ending) => withEnding(source, ending));
  const aliased = resolver
    .prefixes(place)
    .filter(({ prefix, folder: to }) => prefix !== '' && isInside(to, source))
    .filter(({ prefix }) => style.specifiers.some((one) => one.startsWith(prefix)))
    .flatMap(({ prefix, folder: to }) => forms.map((form) => prefix + toPosix(path.relative(to, form))));
  const relative = forms.map((form) => {
    const to = toPosix(path.relative(folder, form));
    return to.startsWith('../') ? to : `./${to}`;
  });
  const found = [...aliased, ...relative].find((specifier) => {
    const resolution = resolver.resolve(specifier, place);
    return resolution.kind === 'file' && resolution.file === source;
  });
  const specifier = found ?? relative[0] ?? source;
  return isUrl ? specifier.replace(/[%?#]/g, encodeURIComponent) : specifier;
}

function withEnding(source: string, ending: string): string {
  const extension = path.extname(source);
  const stem = source.slice(0, source.length - extension.length);
  if (ending === '') return stem;
  return ending === 'own' ? source : stem + extension.replace(/^\.([cm]?)tsx?$/, '.$1js');
}

export interface Binding {
  /** The statement without its end. */
  readonly statement: string;
  /** How the test writes an export. */
  readonly nameOf: (one: Exported) => string;
  /** How people name it. */
  readonly titleOf: (one: Exported) => string;
  /** The module or what stands for all of it, where it has a name. */
  readonly module?: string;
}

/** Names that a test has otherwise. */
const taken = new Set(
  'describe suite it test expect assert t vi jest before after beforeEach afterEach require module exports default'.split(
    ' ',
  ),
);
const keyword =
  /^(?:break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|let|static|await|implements|interface|package|private|protected|public|arguments|eval|undefined)$/;

const isName = (text: string): boolean =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(text) && !keyword.test(text) && !taken.has(text);

/** Single names where they can be names in the test, else the module as a whole. */
export function bindingOf(
  { exported, format, whole, tree }: ScriptSubject,
  style: Pick<ScriptStyle, 'format'>,
  source: string,
  from: string,
): Binding {
  const own = moduleName(source);
  const isEsm = style.format === 'esm';
  if (whole !== undefined) {
    const declared = /(?:^|\n)(?:module\.)?exports\s*=\s*([\w$]+)\s*;?\s*(?:\n|$)/.exec(tree.text)?.[1];
    const name = declared !== undefined && isName(declared) ? declared : own;
    const member = (one: Exported): string => (one === whole ? name : memberOf(name, one.name));
    const titleOf = (one: Exported): string => (one === whole ? name : one.name);
    return { statement: loading(name, from, isEsm), nameOf: member, titleOf, module: name };
  }
  const wanted = exported.filter(({ kind }) => kind !== 'unset');
  const defaultName = nameOfDefault(tree.text) ?? own;
  const names = wanted.map(({ name }) => (name === 'default' ? defaultName : name));
  const areNames = names.every(isName) && new Set(names).size === names.length;
  const isNamed = areNames && wanted.length > 0 && (format === 'esm' || !isEsm);
  if (!isNamed) {
    // A module in CommonJS is the default of what an ES module sees of it.
    const bound = isEsm && format === 'esm' ? `* as ${own}` : own;
    return {
      statement: loading(bound, from, isEsm),
      nameOf: (one) => memberOf(own, one.name),
      titleOf: (one) => (one.name === 'default' ? defaultName : one.name),
      module: own,
    };
  }
  const others = wanted.filter(({ name }) => name !== 'default').map(({ name }) => name);
  const hasDefault = others.length < wanted.length;
  const parts = isEsm
    ? [...(hasDefault ? [defaultName] : []), ...(others.length > 0 ? [listed(others)] : [])].join(', ')
    : listed([...(hasDefault ? [`default: ${defaultName}`] : []), ...others]);
  const nameOf = ({ name }: Exported): string => (name === 'default' ? defaultName : name);
  return { statement: loading(parts, from, isEsm), nameOf, titleOf: nameOf };
}

const loading = (bound: string, from: string, isEsm: boolean): string =>
  isEsm ? `import ${bound} from ${from}` : `const ${bound} = require(${from})`;

const listed = (names: readonly string[]): string => `{ ${names.join(', ')} }`;

const memberOf = (object: string, name: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
    ? `${object}.${name}`
    : `${object}[${JSON.stringify(name)}]`;

function nameOfDefault(text: string): string | undefined {
  const found =
    /^export\s+default\s+(?:async\s+)?(?:abstract\s+)?(?:function\s*\*?|class)\s+([\w$]+)/m.exec(text) ??
    /^export\s+default\s+([\w$]+)\s*;?\s*$/m.exec(text) ??
    /^export\s*\{[^}]*?\b([\w$]+)\s+as\s+default\b/m.exec(text);
  const name = found?.[1];
  return name !== undefined && name !== 'extends' && isName(name) ? name : undefined;
}

/** `price-list.ts` → priceList; `index.ts` → the name of its folder. */
function moduleName(source: string): string {
  const stem = stemOf(toPosix(source));
  const words = stem === 'index' ? path.basename(path.dirname(source)) : stem;
  if (!/^[\p{L}\p{Nd}_$.-]+$/u.test(words)) return 'subject';
  const name = words.replace(
    /[^\p{ID_Continue}$]+(.)?/gu,
    (_all, next: string | undefined) => next?.toUpperCase() ?? '',
  );
  return isName(name) ? name : 'subject';
}
