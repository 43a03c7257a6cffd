// Which programs a script starts, from its text: the files that are certain, and whether there may be others.
import path from 'node:path';
import type ts from 'typescript';
import { evaluateText, type EvaluateContext } from './configText.ts';
import type { ProgramStarts } from './importScan.ts';

/** What starts nothing, of a file that does not do so. */
export const noStarts: ProgramStarts = { files: [], isUnknown: false };

/**
 * `file`: absolute. Certain is `node` (or a loader of scripts) with a path whose value the text tells, a path that is started by
 * itself, and a known tool that runs nothing of the workspace. Whatever else is done with what can start a program is unknown.
 */
export function programStarts(typescript: typeof ts, file: string, text: string): ProgramStarts {
  if (!mayStart.test(text)) return noStarts;
  // The configuration of such a package starts nothing by itself, and stands above tests of other runners.
  const drives = driver.test(text) && !/\.config\.\w+$/.test(file);
  if (drives || !/\.[mc]?[jt]sx?$/.test(file)) return { files: [], isUnknown: true };
  return new StartReader(typescript, file, text).read();
}

const quoted = (names: string): string => `['"\`](?:node:)?(?:${names})['"\`]`;
const known = 'child_process|worker_threads|execa|cross-spawn|tinyexec|nano-spawn';
/** Packages that start programs of their own finding, or drive one that was started elsewhere. */
const drivers =
  'zx(?:\\/\\w+)?|shelljs|cluster|piscina|tinypool|workerpool|jest-worker|node-pty|@lydell\\/node-pty|nexpect|clet|npm-run-all|concurrently|start-server-and-test|@oclif\\/test|cli-testing-library|@vscode\\/test-(?:electron|cli|web)|(?:@playwright\\/test|playwright(?:-core)?|puppeteer(?:-core)?|selenium-webdriver|webdriverio|@wdio\\/globals|testcafe|nightwatch|cypress)';
const driver = new RegExp(
  `\\b(?:from|import|require\\s*\\()\\s*\\(?\\s*${quoted(drivers)}|\\bBun\\.(?:spawn|\\$)|\\bDeno\\.(?:Command|run)\\b|\\bcy\\.visit\\b`,
);
const starter = new RegExp(`^(?:node:)?(?:${known})$`);
const mayStart = new RegExp(`${quoted(known)}|\\bnew\\s+(?:Shared)?Worker\\b|${driver.source}`);

/** Exports that start nothing. */
const harmlessExport =
  /^(?:ChildProcess|ExecaError|ExecaSyncError|isMainThread|parentPort|workerData|threadId|Message(?:Channel|Port)|BroadcastChannel|markAsUntransferable|resourceLimits|SHARE_ENV|setEnvironmentData|getEnvironmentData|receiveMessageOnPort)$/;
/** Tools that run nothing of a workspace, or only what its changes do not touch. */
export const harmlessProgram =
  /^(?:git|hg|svn|ls|cat|echo|printf|pwd|cp|mv|rm|mkdir|touch|chmod|chown|ln|tar|zip|unzip|gzip|gunzip|ps|kill|pgrep|pkill|taskkill|tasklist|uname|hostname|whoami|id|which|where|open|xdg-open|sw_vers|lsof|curl|wget|df|du|date|sleep|true|false|diff|patch|wc|head|tail|grep|sort|stty|tput|ffmpeg|ffprobe|openssl|gpg|docker|podman|psql|redis-server|sqlite3)(?:\.exe)?$/;
const scriptRunner = /^(?:node|nodejs|tsx|ts-node|python3?(?:\.\d+)?)(?:\.exe)?$/;
/** Options before the script that load nothing. */
const harmlessOption =
  /^--(?:no-[\w-]+|enable-[\w-]+|experimental-(?!loader)[\w-]+|trace-[\w-]+|expose[-_]gc|max[-_][\w-]+=\d+|stack-size=\d+|disable-warning=\S+|throw-deprecation|unhandled-rejections=\w+|(?:import|require|loader)=[\w@][\w@/-]*)$/;

type Word = string | undefined;

/** Stands for what is not known, inside of a text. */
const hole = '\0';

class StartReader {
  readonly #ts: typeof ts;
  readonly #source: ts.SourceFile;
  readonly #context: EvaluateContext;
  /** Names of this file that hold a module which starts programs. */
  readonly #modules = new Set<string>();
  /** Names of this file for one of its functions, with the function's name there. */
  readonly #functions = new Map<string, string>();
  readonly #files = new Map<string, { written: string; from?: string }>();
  #isUnknown = false;

  constructor(typescript: typeof ts, file: string, text: string) {
    this.#ts = typescript;
    this.#source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
    this.#context = { folder: path.dirname(file), configFile: file, constants: this.#constants() };
  }

  read(): ProgramStarts {
    this.#walk(this.#source, (node) => this.#modulesAt(node));
    this.#walk(this.#source, (node) => {
      if (!this.#ts.isIdentifier(node) || this.#isName(node)) return;
      if (this.#modules.has(node.text)) this.#moduleUsed(node);
      else {
        const name = this.#functions.get(node.text);
        if (name !== undefined) this.#functionUsed(node, name);
      }
    });
    return { files: [...this.#files.values()], isUnknown: this.#isUnknown };
  }

  #walk(node: ts.Node, visit: (node: ts.Node) => void): void {
    visit(node);
    this.#ts.forEachChild(node, (child) => this.#walk(child, visit));
  }

  /** Of names that are declared once. */
  #constants(): ReadonlyMap<string, ts.Expression> {
    const found = new Map<string, ts.Expression>();
    const declared = new Set<string>();
    this.#walk(this.#source, (node) => {
      const { isVariableDeclaration, isParameter, isBindingElement, isIdentifier } = this.#ts;
      if (!isVariableDeclaration(node) && !isParameter(node) && !isBindingElement(node)) return;
      if (!isIdentifier(node.name)) return;
      const { text } = node.name;
      const isFirst = !declared.has(text);
      declared.add(text);
      const isConstant = isVariableDeclaration(node) && (node.parent.flags & this.#ts.NodeFlags.Const) !== 0;
      if (isFirst && isConstant && node.initializer) found.set(text, node.initializer);
      else found.delete(text);
    });
    if (!declared.has('Worker')) this.#functions.set('Worker', 'Worker');
    return found;
  }

  /** A literal that names such a module: what it is bound to, or unknown. */
  #modulesAt(literal: ts.Node): void {
    const typescript = this.#ts;
    if (typescript.isImportSpecifier(literal) && literal.name.text === 'Worker')
      if (this.#functions.get('Worker') === 'Worker' && !this.#isOfStarter(literal))
        this.#functions.delete('Worker');
    if (!typescript.isStringLiteralLike(literal) || !starter.test(literal.text)) return;
    const { parent } = literal;
    if (typescript.isImportDeclaration(parent)) {
      const clause = parent.importClause;
      if (clause === undefined || clause.isTypeOnly) return;
      if (clause.name) this.#bindDefault(clause.name.text, literal.text);
      const bindings = clause.namedBindings;
      if (bindings === undefined) return;
      if (typescript.isNamespaceImport(bindings)) this.#modules.add(bindings.name.text);
      else
        for (const one of bindings.elements)
          if (!one.isTypeOnly) this.#bind(one.name.text, (one.propertyName ?? one.name).text, literal.text);
      return;
    }
    if (typescript.isExternalModuleReference(parent) && typescript.isImportEqualsDeclaration(parent.parent)) {
      this.#modules.add(parent.parent.name.text);
      return;
    }
    if (typescript.isLiteralTypeNode(parent)) return;
    if (typescript.isExportDeclaration(parent)) {
      if (!parent.isTypeOnly) this.#isUnknown = true;
      return;
    }
    if (!typescript.isCallExpression(parent)) return;
    const callee = parent.expression.getText();
    if (callee !== 'require' && callee !== 'import') {
      // What a mock stands for is not started; the real one may be.
      if (/\b(?:requireActual|importActual|getBuiltinModule)\b/.test(callee)) this.#isUnknown = true;
      return;
    }
    this.#moduleUsed(this.#awaited(parent), literal.text);
  }

  #isOfStarter(node: ts.ImportSpecifier): boolean {
    const { moduleSpecifier } = node.parent.parent.parent;
    return this.#ts.isStringLiteralLike(moduleSpecifier) && starter.test(moduleSpecifier.text);
  }

  /** A call or a name that stands for the whole module. */
  #moduleUsed(node: ts.Node, module = ''): void {
    const typescript = this.#ts;
    const { parent } = node;
    if (typescript.isPropertyAccessExpression(parent) && parent.expression === node) {
      this.#functionUsed(parent, parent.name.text);
      return;
    }
    if (typescript.isQualifiedName(parent) || typescript.isTypeQueryNode(parent)) return;
    if (typescript.isExpressionStatement(parent)) return;
    // A package whose module is the function.
    if (typescript.isCallExpression(parent) && parent.expression === node) {
      this.#started('spawn', parent);
      return;
    }
    if (typescript.isVariableDeclaration(parent) && parent.initializer === node) {
      const { name } = parent;
      if (typescript.isIdentifier(name)) {
        this.#bindDefault(name.text, module);
        return;
      }
      if (typescript.isObjectBindingPattern(name)) {
        for (const one of name.elements) {
          const imported = one.propertyName ?? one.name;
          if (one.dotDotDotToken || !typescript.isIdentifier(one.name) || !typescript.isIdentifier(imported))
            this.#isUnknown = true;
          else this.#bind(one.name.text, imported.text, module);
        }
        return;
      }
    }
    this.#isUnknown = true;
  }

  #bindDefault(name: string, module: string): void {
    this.#modules.add(name);
    if (/^(?:cross-spawn|execa|nano-spawn)$/.test(module)) this.#functions.set(name, 'spawn');
  }

  #bind(name: string, imported: string, module: string): void {
    if (imported === 'default') this.#bindDefault(name, module);
    else if (imported === 'promises') this.#modules.add(name);
    else if (!harmlessExport.test(imported)) this.#functions.set(name, imported);
  }

  #functionUsed(node: ts.Node, name: string): void {
    const typescript = this.#ts;
    if (harmlessExport.test(name)) return;
    const { parent } = node;
    if (
      typescript.isTypeQueryNode(parent) ||
      typescript.isTypeReferenceNode(parent) ||
      typescript.isQualifiedName(parent)
    )
      return;
    if (
      (typescript.isCallExpression(parent) || typescript.isNewExpression(parent)) &&
      parent.expression === node
    ) {
      this.#started(name, parent);
      return;
    }
    // `spawn.sync(…)`
    if (typescript.isPropertyAccessExpression(parent) && parent.expression === node) {
      this.#functionUsed(parent, /^(?:sync|node)$/.test(parent.name.text) ? name : '?');
      return;
    }
    if (
      typescript.isCallExpression(parent) &&
      /(?:^|\.)promisify$/.test(parent.expression.getText()) &&
      typescript.isVariableDeclaration(parent.parent) &&
      typescript.isIdentifier(parent.parent.name) &&
      this.#functions.get(parent.parent.name.text) !== name
    ) {
      const alias = parent.parent.name.text;
      this.#functions.set(alias, name);
      // Its uses may have been passed already.
      this.#walk(this.#source, (one) => {
        if (typescript.isIdentifier(one) && one.text === alias && !this.#isName(one))
          this.#functionUsed(one, name);
      });
      return;
    }
    if (typescript.isCallExpression(parent) && typescript.isVariableDeclaration(parent.parent)) {
      const alias = parent.parent.name;
      if (typescript.isIdentifier(alias) && this.#functions.get(alias.text) === name) return;
    }
    this.#isUnknown = true;
  }

  #started(name: string, call: ts.CallExpression | ts.NewExpression): void {
    const [first, second, ...others] = call.arguments ?? [];
    if (first === undefined || this.#ts.isSpreadElement(first) || name === '?') {
      this.#isUnknown = true;
      return;
    }
    const command = this.#wordOf(first) ?? '';
    const isScript = /^(?:fork|Worker|SharedWorker|execaNode)$/.test(name);
    // Of a text, each word; of a program and a list, its elements.
    const words: Word[] = isScript ? ['node', command] : command.trim().split(/\s+/).map(withoutQuotes);
    if (!isScript && unsafeShell.test(command)) this.#isUnknown = true;
    let options: readonly ts.Expression[] = others;
    if (second !== undefined && this.#ts.isArrayLiteralExpression(second))
      words.push(...second.elements.map((one) => this.#wordOf(one)));
    else if (second !== undefined) {
      options = [second, ...others];
      // Neither a list nor options for certain.
      if (!isScript && !isOther(this.#ts, second)) words.push(undefined);
    }
    const [program, ...rest] = words;
    this.#run(program, rest, this.#folderOf(options));
  }

  #run(program: Word, rest: readonly Word[], from: string | undefined): void {
    if (program === undefined || program === '' || program.includes(hole)) {
      this.#isUnknown = true;
      return;
    }
    const name = path.basename(program);
    if (program === name && harmlessProgram.test(name)) return;
    if (!scriptRunner.test(name)) {
      if (program.includes('/')) this.#add(program, from);
      else this.#isUnknown = true;
      return;
    }
    let at = 0;
    for (;;) {
      const word = rest[at] ?? hole;
      if (/^(?:-r|--require|--import|--loader)$/.test(word) && /^[\w@][\w@/-]*$/.test(rest[at + 1] ?? ''))
        at += 2;
      else if (harmlessOption.test(word)) at++;
      else break;
    }
    const target = rest[at];
    if (target === undefined || target === '' || target.includes(hole) || target.startsWith('-'))
      this.#isUnknown = true;
    else this.#add(target, from);
  }

  #add(written: string, from: string | undefined): void {
    if (path.isAbsolute(written)) this.#files.set(written, { written });
    else if (from === hole) this.#isUnknown = true;
    else this.#files.set(`${written} ${from ?? ''}`, from === undefined ? { written } : { written, from });
  }

  /** Where it is started: undefined where nothing is said. */
  #folderOf(options: readonly ts.Expression[]): string | undefined {
    for (const one of options) {
      if (this.#ts.isArrowFunction(one) || this.#ts.isFunctionExpression(one)) continue;
      if (!this.#ts.isObjectLiteralExpression(one)) return hole;
      for (const property of one.properties) {
        const name = property.name?.getText().replaceAll(/['"]/g, '');
        if (name === undefined) return hole;
        if (name !== 'cwd') continue;
        const value = this.#ts.isPropertyAssignment(property)
          ? this.#evaluate(property.initializer)
          : undefined;
        return value !== undefined && path.isAbsolute(value) ? value : hole;
      }
    }
    return undefined;
  }

  #wordOf(node: ts.Expression): string | undefined {
    const text = node.getText();
    if (/^(?:process\.)?execPath$|^process\.argv(?:\[0\]|0)$/.test(text)) return 'node';
    const value = this.#evaluate(node);
    if (value !== undefined) return value.startsWith('file:') ? new URL(value).pathname : value;
    if (this.#ts.isTemplateExpression(node))
      return node.templateSpans.reduce(
        (all, span) => all + (this.#wordOf(span.expression) ?? hole) + span.literal.text,
        node.head.text,
      );
    if (this.#ts.isBinaryExpression(node) && node.operatorToken.kind === this.#ts.SyntaxKind.PlusToken)
      return (this.#wordOf(node.left) ?? hole) + (this.#wordOf(node.right) ?? hole);
    const constant = this.#ts.isIdentifier(node) ? this.#context.constants.get(node.text) : undefined;
    if (constant !== undefined && /\b(?:execPath|argv0)$/.test(constant.getText())) return 'node';
    const [wrapped] = this.#ts.isCallExpression(node) ? node.arguments : [];
    // `JSON.stringify(file)` quotes it.
    return wrapped && /^(?:JSON\.stringify|String)$/.test(text.slice(0, text.indexOf('(')))
      ? this.#wordOf(wrapped)
      : undefined;
  }

  #evaluate(node: ts.Expression): string | undefined {
    try {
      return evaluateText(this.#ts, node, this.#context);
    } catch {
      return undefined;
    }
  }

  #awaited(node: ts.Node): ts.Node {
    const isOuter =
      this.#ts.isAwaitExpression(node.parent) || this.#ts.isParenthesizedExpression(node.parent);
    return isOuter ? this.#awaited(node.parent) : node;
  }

  /** A name that is declared or asked for, and not the value. */
  #isName(node: ts.Identifier): boolean {
    const { parent } = node;
    const typescript = this.#ts;
    return (
      (typescript.isPropertyAccessExpression(parent) && parent.name === node) ||
      typescript.isImportClause(parent) ||
      typescript.isImportSpecifier(parent) ||
      typescript.isNamespaceImport(parent) ||
      typescript.isImportEqualsDeclaration(parent) ||
      typescript.isBindingElement(parent) ||
      ((typescript.isVariableDeclaration(parent) ||
        typescript.isPropertyAssignment(parent) ||
        typescript.isPropertySignature(parent) ||
        typescript.isMethodDeclaration(parent) ||
        typescript.isMethodSignature(parent) ||
        typescript.isParameter(parent)) &&
        parent.name === node) ||
      typescript.isTypeReferenceNode(parent)
    );
  }
}

/** Signs by which a shell runs more than one program, or another one. */
export const unsafeShell = /[;&|`()\n]|\$(?=\w|\{|\()/;

const withoutQuotes = (word: string): string => word.replace(/^(["'])(.*)\1$/, '$2');

const isOther = (typescript: typeof ts, node: ts.Expression): boolean =>
  typescript.isObjectLiteralExpression(node) ||
  typescript.isArrowFunction(node) ||
  typescript.isFunctionExpression(node);
