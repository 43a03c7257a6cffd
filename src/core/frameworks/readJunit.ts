// Reads the tests of a JUnit report. Nothing of XML that could reach outside or grow is followed: no DTD, no entities but the five.
import type { RawFailure } from '../model/reporterMessage.ts';
import type { ReportedTest, ReportedTests } from './reportedTest.ts';

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

interface OpenCase extends Tag {
  readonly suites: readonly string[];
  outcome: ReportedTest['outcome'];
  failure: RawFailure | undefined;
}

const token =
  /<!\[CDATA\[([^]*?)\]\]>|<!--[^]*?-->|<\?[^]*?\?>|<!(?:"[^"]*"|'[^']*'|[^>"'])*>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;

/** The test cases of the report in their order; undefined when the text holds no `testsuite`. A report that breaks off says so. */
export function readJunit(text: string): ReportedTests | undefined {
  if (!/<testsuites?\b/.test(text)) return undefined;
  const tests: ReportedTest[] = [];
  const open: Tag[] = [];
  let current: OpenCase | undefined;
  let said = '';
  /** What the outermost element counts. */
  let counted = 0;
  let at = text.search(/<testsuites?\b/);
  token.lastIndex = at;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [whole, cdata, slash, name = '', attributes = '', selfClosing] = found;
    said += decoded(text.slice(at, found.index));
    at = found.index + whole.length;
    if (cdata !== undefined) said += cdata;
    if (name === '') continue;
    if (slash === '') {
      const tag = { name, attributes: attributesIn(attributes) };
      if (open.length === 0 && counted === 0) counted = countOf(tag, 'failures') + countOf(tag, 'errors');
      said = '';
      if (name === 'testcase')
        current = { ...tag, suites: suitesOf(open), outcome: statusOf(tag), failure: undefined };
      if (selfClosing === '') open.push(tag);
      else close(tag);
    } else {
      const index = open.findLastIndex((tag) => tag.name === name);
      const [tag] = index < 0 ? [] : open.splice(index);
      if (tag) close(tag);
      if (open.length === 0) break;
    }
  }
  if (open.length > 0) return { tests, trouble: 'The JUnit report is incomplete.' };
  const listed = tests.filter(({ outcome }) => outcome === 'failed').length;
  const trouble = `The JUnit report counts ${counted} failed tests and lists ${listed}.`;
  return counted > listed ? { tests, trouble } : { tests };

  function close(tag: Tag): void {
    if (tag.name === 'testcase' && current) {
      tests.push(toldTest(current));
      current = undefined;
    } else if (current && /^(?:failure|error)$/.test(tag.name)) {
      current.outcome = 'failed';
      current.failure ??= failureOf(tag, said);
    } else if (current && tag.name === 'skipped' && current.outcome === 'passed') current.outcome = 'skipped';
    said = '';
  }
}

function toldTest({ attributes, suites, outcome, failure }: OpenCase): ReportedTest {
  const seconds = Number(attributes.get('time') ?? 0);
  const title = attributes.get('name') ?? attributes.get('id') ?? 'a test without a name';
  const file = attributes.get('file');
  const line = attributes.get('line');
  const frame = file === undefined || line === undefined ? '' : `\n    at ${file}:${line}:1`;
  return {
    suites,
    title,
    outcome,
    durationMs: Number.isFinite(seconds) ? Math.max(seconds * 1000, 0) : 0,
    ...(outcome === 'failed' && !failure && { failure: { message: 'It failed without giving a reason.' } }),
    ...(failure && { failure: { ...failure, stack: `${failure.stack ?? failure.message}${frame}` } }),
  };
}

function countOf({ attributes }: Tag, name: string): number {
  const count = Number(attributes.get(name) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Some reporters write what became of a test on itself. */
const statusOf = ({ attributes }: Tag): ReportedTest['outcome'] =>
  /^(?:failed|failure|error)$/i.test(attributes.get('status') ?? attributes.get('result') ?? '')
    ? 'failed'
    : 'passed';

function suitesOf(open: readonly Tag[]): readonly string[] {
  const names = open
    .filter(({ name }) => name === 'testsuite')
    .map(({ attributes }) => attributes.get('name') ?? '');
  return names.filter((name) => name !== '');
}

function failureOf({ attributes }: Tag, text: string): RawFailure {
  const told = attributes.get('message') ?? '';
  const body = text.trim();
  const type = attributes.get('type');
  const message = told.trim() === '' ? (body.split(/\n\s+at /)[0] ?? '') : told;
  return {
    ...(type !== undefined && type !== '' && { name: type }),
    message: message.trim() === '' ? 'It failed without giving a reason.' : message,
    ...(body !== '' && { stack: body }),
  };
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  const pairs = text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map([...pairs].map(([, name = '', double, single]) => [name, decoded(double ?? single ?? '')]));
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
