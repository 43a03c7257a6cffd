// No new code in a test that ends the process, writes files, starts programs or listens to the process's errors.
import ts from 'typescript';
import type { Bindings } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';

export const sideEffectRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  visitNodes(facts.source, (node) => {
    const found = processControl(node);
    const place = { owner: facts.tree.ownerOf(node), line: lineOf(node) };
    if (found !== undefined)
      marks.push({
        rule: 'process-control',
        ...place,
        key: found,
        text: `${found} controls the test process.`,
      });
    const silenced = silencedErrors(node);
    if (silenced !== undefined)
      marks.push({
        rule: 'process-control',
        ...place,
        key: silenced,
        text: `${silenced} may hide errors of the page.`,
      });
    const access = outsideAccess(node, facts.bindings) ?? hiddenWrite(node, facts.bindings);
    if (access !== undefined)
      marks.push({
        rule: 'outside-access',
        ...place,
        key: access,
        text: `${access} writes files or starts programs.`,
      });
  });
  yield* marks;
});

function processControl(node: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return undefined;
  const path = node
    .getText()
    .replace(/\s+/g, '')
    .replace(/\?\./g, '.')
    .replace(/\[['"`](\w+)['"`]\]/g, '.$1');
  return /^(?:globalThis\.|global\.)?process\.(?:exit|exitCode|abort|kill|reallyExit|on|once|removeAllListeners|addListener|emit|off)$/.exec(
    path,
  )?.[0];
}

/** `window.onerror = …`, `addEventListener('unhandledrejection', …)`. */
function silencedErrors(node: ts.Node): string | undefined {
  const events = /^(?:error|unhandledrejection|rejectionhandled|pageerror|uncaught:exception)$/;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const place = unwrap(node.left).getText().replace(/\s+/g, '');
    return /^(?:(?:globalThis|global|window|self)\.)?on(?:error|unhandledrejection)$/.test(place)
      ? place
      : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const [name] = node.arguments;
  const event = name === undefined ? undefined : unwrap(name);
  if (event === undefined || !ts.isStringLiteralLike(event) || !events.test(event.text)) return undefined;
  const callee = unwrap(node.expression).getText().replace(/\s+/g, '');
  return /^(?:(?:globalThis|global|window|self)\.)?addEventListener$|^(?:cy|Cypress|page)\.on(?:ce)?$/.test(
    callee,
  )
    ? `${callee}('${event.text}')`
    : undefined;
}

const outsideModules =
  /^(?:node:)?(?:child_process|cluster|worker_threads|vm|module|repl|inspector|net|dgram|v8|process)$|^(?:execa|shelljs|zx|cross-spawn|fs-extra|rimraf|del)$/;
const writing =
  /^(?:writeFile|writeFileSync|appendFile|appendFileSync|rm|rmSync|rmdir|rmdirSync|unlink|unlinkSync|rename|renameSync|cp|cpSync|copyFile|copyFileSync|symlink|symlinkSync|truncate|truncateSync|createWriteStream|chmod|chmodSync|mkdir|mkdirSync|spawn|spawnSync|exec|execSync|execFile|execFileSync|fork|outputFile)$/;

function outsideAccess(node: ts.Node, { imports }: Bindings): string | undefined {
  const module = moduleOf(node);
  if (module !== undefined) return outsideModules.test(module) ? module : undefined;
  if (ts.isCallExpression(node)) {
    const callee = unwrap(node.expression);
    if (
      callee.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(callee) && callee.text === 'require')
    ) {
      const target = node.arguments[0];
      return target !== undefined && !ts.isStringLiteralLike(unwrap(target))
        ? 'import of a computed module'
        : undefined;
    }
    if (ts.isIdentifier(callee)) {
      // A function of the workspace may have such a name; what that reaches is another rule's.
      const isOwn = imports.get(callee.text)?.module.startsWith('.') === true;
      return writing.test(callee.text) && !isOwn ? callee.text : undefined;
    }
    // RegExp's exec and a mock's rm have one name with them: only calls on fs-like names count.
    if (ts.isPropertyAccessExpression(callee) && writing.test(callee.name.text)) {
      const on = unwrap(callee.expression).getText();
      return /fs|promises|child|process|cp$|shell/i.test(on) ? `${on}.${callee.name.text}` : undefined;
    }
  }
  return undefined;
}

/** `files['write' + 'FileSync'](…)` on a file system under any name. */
function hiddenWrite(node: ts.Node, { imports, values }: Bindings): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const callee = unwrap(node.expression);
  const isElement = ts.isElementAccessExpression(callee);
  if (!isElement && !ts.isPropertyAccessExpression(callee)) return undefined;
  const on = unwrap(callee.expression);
  if (!ts.isIdentifier(on)) return undefined;
  const value = values.get(on.text)?.[0];
  const inner = value === undefined ? undefined : unwrap(value);
  const loaded = inner !== undefined && ts.isAwaitExpression(inner) ? unwrap(inner.expression) : inner;
  const module = imports.get(on.text)?.module ?? (loaded === undefined ? undefined : moduleOf(loaded));
  if (!/^(?:node:)?fs(?:\/|$)/.test(module ?? '')) return undefined;
  const key = isElement ? unwrap(callee.argumentExpression) : callee.name;
  const isOpen = !ts.isIdentifier(key) && !ts.isStringLiteralLike(key);
  const name = isOpen || (isElement && ts.isIdentifier(key)) ? '[computed]' : key.text;
  return name === '[computed]' || writing.test(name) ? `${on.text}.${name}` : undefined;
}

function moduleOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    return node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)
      ? node.moduleSpecifier.text
      : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const callee = unwrap(node.expression);
  const isImport =
    callee.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(callee) && callee.text === 'require') ||
    (ts.isPropertyAccessExpression(callee) && callee.name.text === 'getBuiltinModule');
  const target = node.arguments[0];
  const literal = target === undefined ? undefined : unwrap(target);
  return isImport && literal !== undefined && ts.isStringLiteralLike(literal) ? literal.text : undefined;
}
