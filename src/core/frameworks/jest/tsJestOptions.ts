// Reads how ts-jest is told to compile, of a jest configuration: of its transform, or of `globals`.
import { isList, notStatic, StaticObject, type StaticValue } from '../../syntax/javascript/staticValue.ts';

export interface TsJestOptions {
  /** A configuration file, or options on top of the configuration that it finds. */
  readonly tsconfig?: string | Readonly<Record<string, unknown>>;
  /** Numbers of errors that it leaves out. */
  readonly ignoredCodes: readonly number[];
  /** Globs of the files whose types keep no test from running; `all` where no file's do. */
  readonly unchecked: 'all' | readonly string[];
  /** A regular expression: only files whose path it finds are checked (before ts-jest 27). */
  readonly checked?: string;
  /** It may leave modules what they are; else all become CommonJS. */
  readonly isEsm?: true;
}

/** Undefined where the configuration does not name it. */
export function tsJestOptionsOf(config: StaticObject): TsJestOptions | undefined {
  const transform = config.entries.get('transform');
  const transforms = transform instanceof StaticObject ? [...transform.entries.values()] : [];
  const named = transforms.map((one): readonly StaticValue[] => (isList(one) ? one : [one]));
  const own = named.find(([name]) => typeof name === 'string' && /(?:^|[\\/])ts-jest(?:[\\/]|$)/.test(name));
  const preset = config.entries.get('preset');
  const isUsed = own !== undefined || (typeof preset === 'string' && /^ts-jest(?:\/|$)/.test(preset));
  const global = member(config.entries.get('globals'), 'ts-jest');
  const options = own?.[1] instanceof StaticObject ? own[1] : global;
  if (!isUsed && !(options instanceof StaticObject)) return undefined;
  const isEsm = typeof preset === 'string' && preset.endsWith('-esm');
  return { ...optionsOf(options), ...(isEsm && { isEsm }) };
}

function optionsOf(options: StaticValue): TsJestOptions {
  const tsconfig = member(options, 'tsconfig') ?? member(options, 'tsConfig');
  const diagnostics = member(options, 'diagnostics');
  const exclude = textsOf(member(diagnostics, 'exclude'));
  const isUnchecked =
    diagnostics === false ||
    member(diagnostics, 'warnOnly') === true ||
    // `transpilation`: what 29.4.3 called it.
    [member(options, 'isolatedModules'), member(options, 'transpilation')].includes(true);
  const checked = member(diagnostics, 'pathRegex');
  return {
    ...(typeof tsconfig === 'string' && { tsconfig }),
    ...(tsconfig instanceof StaticObject && { tsconfig: plainOf(tsconfig) }),
    ignoredCodes: codesOf(member(diagnostics, 'ignoreCodes')),
    unchecked: isUnchecked ? 'all' : exclude,
    ...(typeof checked === 'string' && { checked }),
    ...(member(options, 'useESM') === true && { isEsm: true }),
  };
}

const member = (value: StaticValue, key: string): StaticValue =>
  value instanceof StaticObject ? value.entries.get(key) : undefined;

const listOf = (value: StaticValue): readonly StaticValue[] => (isList(value) ? value : [value]);
const textsOf = (value: StaticValue): readonly string[] =>
  listOf(value).filter((one) => typeof one === 'string');

/** `7006`, `'TS7006'`, `'6133, TS7006'`, and lists of them. */
function codesOf(value: StaticValue): readonly number[] {
  return listOf(value).flatMap((one) =>
    typeof one === 'number'
      ? [one]
      : typeof one === 'string'
        ? (one.match(/\d+/g) ?? []).map((code) => Number(code))
        : [],
  );
}

/** What is known of it, as JSON would have it. */
function plainOf(value: StaticObject): Readonly<Record<string, unknown>> {
  const plain = (one: StaticValue): unknown =>
    one instanceof StaticObject ? plainOf(one) : isList(one) ? one.map(plain) : one;
  return Object.fromEntries(
    [...value.entries].filter(([, one]) => one !== notStatic).map(([key, one]) => [key, plain(one)]),
  );
}
