// Names whose appearance in a Python test says what is wrong with a change: skips, patches, side effects, tricks.
import { childrenOf, visitPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import type { Finding } from '../fileFacts.ts';

/** One finding for each name that stands in the newer version more often than in the older. */
export function* nameRules(was: PythonSource, is: PythonSource): Generator<Finding> {
  const [old, now] = [namesIn(was), namesIn(is)];
  for (const [name, lines] of now) {
    const family = families.find(({ names }) => names.test(name));
    const line = lines.at(-1);
    if (family === undefined || line === undefined || lines.length <= (old.get(name)?.length ?? 0)) continue;
    yield { rule: family.rule, line, text: `${family.text} (${name}).` };
  }
}

const families: readonly { readonly rule: string; readonly names: RegExp; readonly text: string }[] = [
  {
    rule: 'skip',
    names:
      /^(?:skip|skipif|skipIf|skipUnless|skipTest|SkipTest|importorskip|xfail|expectedFailure|__test__|collect_ignore|collect_ignore_glob|pytestmark)$/,
    text: 'The change keeps tests from running or from failing',
  },
  {
    rule: 'retry',
    names: /^(?:flaky|reruns?|retry|repeat|timeout|tenacity)$/,
    text: 'The change gives a test retries or more time',
  },
  {
    rule: 'process-control',
    names:
      /^(?:exit|_exit|quit|SystemExit|KeyboardInterrupt|kill|killpg|abort|signal|alarm|setitimer|atexit|fork)$/,
    text: 'The change ends the process or the run',
  },
  {
    rule: 'sleep',
    names: /^(?:sleep)$/,
    text: 'The change waits for a fixed time instead of the outcome',
  },
  {
    rule: 'side-effect',
    names:
      /^(?:subprocess|Popen|check_call|check_output|system|popen|execv\w*|spawn\w*|write_text|write_bytes|unlink|rmtree|rmdir|makedirs|symlink|chmod|putenv|environ|open|remove|shutil|socket|urlopen)$/,
    text: 'The change has effects outside the test',
  },
  {
    rule: 'mocked-source',
    names:
      /^(?:monkeypatch|mocker|patch|Mock|MagicMock|AsyncMock|NonCallableMock|PropertyMock|create_autospec|setattr|delattr|setitem|return_value|side_effect|SimpleNamespace)$/,
    text: 'The change replaces what the test checks',
  },
  {
    rule: 'weaker-assertion',
    names:
      /^(?:ANY|AnyStr|approx|isclose|isinstance|issubclass|hasattr|callable|any|all|bool|len|assert_called|assertTrue|assertIsNotNone|assertIn|assertAlmostEqual)$/,
    text: 'The test checks less than before',
  },
  {
    rule: 'tampering',
    names:
      /^(?:eval|exec|compile|__import__|import_module|importlib|reload|globals|locals|vars|builtins|__builtins__|__class__|__dict__|__eq__|__ne__|__bool__|__hash__|__len__|__contains__|__getattr__|__getattribute__|__instancecheck__|modules|settrace|setprofile|_getframe|currentframe|ctypes|gc|register_assert_rewrite|pytest_plugins|pytest_\w+|hookimpl|AssertionError|__debug__|excepthook|sys)$/,
    text: 'The change alters Python or pytest instead of the test',
  },
  {
    rule: 'suppressed-warning',
    names: /^(?:filterwarnings|simplefilter|catch_warnings|resetwarnings|captureWarnings|warns|recwarn)$/,
    text: 'The change hides warnings',
  },
  {
    rule: 'swallowed-error',
    names:
      /^(?:suppress|raises|RaisesGroup|assertRaises|assertRaisesRegex|contextmanager|ExitStack|nullcontext)$/,
    text: 'The change suppresses errors',
  },
];

function namesIn(source: PythonSource): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const add = (name: string, at: number): void => {
    // Python reads compatible letters as the same.
    const key = name.normalize('NFKC');
    found.set(key, [...(found.get(key) ?? []), source.lineOf(at)]);
  };
  visitPython(source.root, (node) => {
    if (/^(?:VariableName|PropertyName)$/.test(node.name)) add(source.textOf(node), node.from);
    // Names of functions as texts: `getattr(pytest, "skip")`.
    if (node.name === 'CallExpression') {
      const [callee] = childrenOf(node);
      if (callee && /^(?:getattr|__import__|import_module|attrgetter)$/.test(source.textOf(callee)))
        for (const [, name = ''] of source.textOf(node).matchAll(/['"](\w+)['"]/g)) add(name, node.from);
    }
  });
  return found;
}
