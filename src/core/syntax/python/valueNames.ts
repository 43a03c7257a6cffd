// Which calls and dotted names in a Python test file are nothing but values: `date(2020, 1, 2)`, `Token("a", 1)`, `Color.RED`.
import type { SyntaxNode } from '@lezer/common';
import { readImports } from './importStatements.ts';
import { argumentsOf, childrenOf, unwrapPython, visitPython, type PythonSource } from './parsePython.ts';
import { readPythonValue, type PythonLiteral, type ValueNames } from './pythonLiteral.ts';

const perSource = new WeakMap<PythonSource, ValueNames>();

/**
 * Classes of the standard library that are values, and classes with a capital letter that are imported or defined here, unless their
 * name or module says that they compare in their own way (`IsStr`, `dirty_equals`), or they say here how (`def __eq__`).
 */
export function valueNamesOf(source: PythonSource): ValueNames {
  const known = perSource.get(source);
  if (known !== undefined) return known;
  let names: Origins | undefined;
  const all = (): Origins => (names ??= originsIn(source));
  const made: ValueNames = {
    isCallee: (name) => (builtIns.has(name) ? isBuiltIn(name, source) : isClass(name, all())),
    isConstant: (path) => isMember(path, all()),
  };
  perSource.set(source, made);
  return made;
}

/** The literal, or the value with such calls and names in it, that the expression is. */
export function writtenValue(node: SyntaxNode, source: PythonSource): PythonLiteral | undefined {
  return readPythonValue(source.text, node.from, node.to, valueNamesOf(source));
}

/** Is it such a name, or such a call that is given something written down, and nothing that is computed but names? */
export function isWrittenOut(whole: SyntaxNode, source: PythonSource): boolean {
  const node = unwrapPython(whole);
  if (node.name === 'MemberExpression') return valueNamesOf(source).isConstant(source.textOf(node));
  const list = valueCallee(node, source) === undefined ? null : node.getChild('ArgList');
  if (list === null) return false;
  if (writtenValue(node, source) !== undefined) return true;
  let written = 0;
  const isOpen = argumentsOf(list, source).some(({ value, spread }) => {
    const inner = unwrapPython(value);
    if (writtenValue(inner, source) !== undefined || isWrittenOut(inner, source)) written++;
    else if (/^(?:Array|Tuple|Dictionary)Expression$/.test(inner.name)) written++;
    else return spread || inner.name !== 'VariableName';
    return false;
  });
  return written > 0 && !isOpen;
}

/** The name of what such a call calls. */
export function valueCallee(node: SyntaxNode, source: PythonSource): string | undefined {
  const callee = node.name === 'CallExpression' ? node.firstChild : null;
  const name = callee === null ? '' : source.textOf(callee);
  return /^[\w.]+$/.test(name) && valueNamesOf(source).isCallee(name) ? name : undefined;
}

const builtIns: ReadonlySet<string> = new Set(
  'set frozenset dict list tuple bytes bytearray complex range'.split(' '),
);

const standard: ReadonlySet<string> = new Set(
  [
    'datetime.date datetime.time datetime.datetime datetime.timedelta datetime.timezone decimal.Decimal fractions.Fraction',
    'pathlib.Path pathlib.PosixPath pathlib.PurePath pathlib.PurePosixPath pathlib.PureWindowsPath uuid.UUID types.SimpleNamespace',
    'collections.OrderedDict collections.Counter collections.defaultdict collections.deque zoneinfo.ZoneInfo re.compile',
    'ipaddress.IPv4Address ipaddress.IPv6Address ipaddress.IPv4Network ipaddress.IPv6Network ipaddress.IPv4Interface ipaddress.IPv6Interface',
    'ipaddress.ip_address',
  ].flatMap((line) => line.split(' ')),
);

/** What each name of the file stands for: `datetime.date`; an empty text for a class that is defined in it. */
type Origins = ReadonlyMap<string, string | undefined>;

function originsIn(source: PythonSource): Origins {
  const found = new Map<string, string | undefined>();
  // A name that is bound twice, or in another way as well, is none to rely on.
  const bind = (name: string, origin: string | undefined): void =>
    void found.set(name, found.has(name) && found.get(name) !== origin ? undefined : origin);
  for (const { module, items } of readImports(source, source.root))
    for (const { name, alias } of items) {
      const root = name.split('.')[0] ?? name;
      if (module === undefined) bind(alias ?? root, alias === undefined ? root : name);
      else bind(alias ?? name, `${module.text}.${name}`);
    }
  visitPython(source.root, (node) => {
    const name = node.getChild('VariableName');
    if (node.name === 'ClassDefinition' && name !== null) {
      const isOwnJudge = /\bdef\s+__eq__\b/.test(source.textOf(node));
      bind(source.textOf(name), isOwnJudge ? undefined : '');
    } else if (node.name === 'FunctionDefinition' && name !== null) bind(source.textOf(name), undefined);
    else if (node.name === 'AssignStatement')
      for (const target of childrenOf(node))
        if (target.name === 'AssignOp') break;
        else if (target.name === 'VariableName') bind(source.textOf(target), undefined);
    return true;
  });
  return found;
}

const isBuiltIn = (name: string, { text }: PythonSource): boolean =>
  !new RegExp(`\\b(?:as|def|class|import)\\s+${name}\\b|^[ \\t]*${name}\\s*=(?!=)`, 'm').test(text);

const matcherName =
  /^(?:Is[A-Z]|Has[A-Z]|Any|ANY(?:$|_|THING)|WILDCARD|IGNORE|Contains|Match|Regex|Approx|Like|Partial|Superset|Subset|Starts|Ends|Ignor|Almost|Close|Instance|Mock|Magic|Async|Re$)|(?:Matcher|Matching|Like|Containing|Approx|Comparison|Mock|Test|TestCase|Error|Exception|Warning)$/;
const matcherModule =
  /^(?:dirty_equals|hamcrest|testfixtures|unittest|mock|pytest|_pytest|pytest_\w+|callee|sure|expects|assertpy|numpy|pandas|hypothesis|factory|faker)(?:\.|$)/;

function isClass(path: string, names: Origins): boolean {
  const [root = '', ...rest] = path.split('.');
  const origin = names.get(root);
  if (origin === undefined) return false;
  const full = [origin, ...rest].filter((part) => part !== '').join('.');
  if (standard.has(full)) return true;
  const name = path.split('.').at(-1) ?? '';
  return /^[A-Z]\w*[a-z]\w*$|^[A-Z]$/.test(name) && !matcherName.test(name) && !matcherModule.test(origin);
}

/** `Color.RED` of a class, `ast.Add` of a module, `timezone.utc`. */
function isMember(path: string, names: Origins): boolean {
  const [root = '', ...rest] = path.split('.');
  const origin = names.get(root);
  if (origin === undefined || rest.length === 0) return false;
  const full = [origin, ...rest].filter((part) => part !== '').join('.');
  if (full === 'datetime.timezone.utc' || full === 'datetime.UTC') return true;
  const [last, owner] = [rest.at(-1) ?? '', rest.at(-2) ?? root];
  if (matcherModule.test(origin) || matcherName.test(last)) return false;
  const isOfClass = /^[A-Z]\w*[a-z]/.test(owner) && /^[A-Z][A-Z\d_]*$/.test(last);
  return isOfClass || /^[A-Z]\w*[a-z]\w*$/.test(last);
}

/** Of constants, those of HTTPStatus among them. */
const yes = new RegExp(
  '^(?:TRUE|YES|ON|OK|SUCCESS|SUCCEEDED|PASS|PASSED|VALID|ENABLED|ALLOW|ALLOWED|ACCEPTED|CREATED|NO_CONTENT|RESET_CONTENT|PARTIAL_CONTENT)$',
  'i',
);
const no = new RegExp(
  `^(?:${[
    'FALSE|NO|OFF|ERROR|FAIL|FAILED|FAILURE|INVALID|DISABLED|DENY|DENIED|REJECTED|CRASHED|CANCELL?ED|ABORTED|TIMEOUT|TIMED_OUT',
    'BAD_REQUEST|UNAUTHORIZED|PAYMENT_REQUIRED|FORBIDDEN|NOT_FOUND|METHOD_NOT_ALLOWED|NOT_ACCEPTABLE|REQUEST_TIMEOUT|CONFLICT|GONE|LOCKED',
    'PRECONDITION_FAILED|UNSUPPORTED_MEDIA_TYPE|UNPROCESSABLE_\\w+|TOO_MANY_REQUESTS|IM_A_TEAPOT|INTERNAL_SERVER_ERROR|NOT_IMPLEMENTED',
    'BAD_GATEWAY|SERVICE_UNAVAILABLE|GATEWAY_TIMEOUT|INSUFFICIENT_STORAGE',
  ].join('|')})$`,
  'i',
);

/** Does one constant say yes and the other one no, as `OK` and `NOT_FOUND`, or what the other one denies, as `ACTIVE` and `INACTIVE`? */
export function turnsAround(was: string, is: string): boolean {
  const denies = (one: string, other: string): boolean =>
    /^(?:IN|UN|DIS|NO_|NOT_?|NON_?)$/i.test(one.slice(0, one.length - other.length)) && one.endsWith(other);
  return (
    (yes.test(was) && no.test(is)) || (no.test(was) && yes.test(is)) || denies(was, is) || denies(is, was)
  );
}

/** A constant that stands for no value. */
export function saysNothing(name: string): boolean {
  return /^(?:NONE|NULL|NIL|UNKNOWN|UNDEFINED|EMPTY|MISSING|NOTHING|UNSET|UNSPECIFIED|INVALID|ERROR|FAILED)$/i.test(
    name,
  );
}
