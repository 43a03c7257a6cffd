// Runs flows with the user's Maestro and tells of each: `node maestroHost.mjs --program … -- <flow files>`. Failed ones are tried again.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import reporterChannel from '../reporterChannel.cjs';

const { send } = reporterChannel.openChannel();
const [, program, , ...names] = process.argv.slice(2);
const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'testmend-maestro-'));

reporterChannel.endWithParent();
await run();

async function run() {
  send({ type: 'runStarted', framework: 'maestro', version: 'unknown', temporaryFolder: folder });
  send({ type: 'filesQueued', files: names.map((file) => ({ file })) });
  const first = await tryFlows(names);
  // Broken files are refused before any flow starts: without a report each flow has its own try.
  if (first.size === 0 && names.length > 1)
    for (const name of names) for (const [file, flow] of await tryFlows([name])) first.set(file, flow);
  const results = new Map(first);
  for (let left = retries(); left > 0; left--) {
    const failed = names.filter((name) => results.get(name)?.failure !== undefined);
    if (failed.length === 0) break;
    for (const [file, flow] of await tryFlows(failed)) results.set(file, flow);
  }
  for (const file of names) tell(file, results.get(file), first.get(file));
  rmSync(folder, { recursive: true, force: true });
  send({ type: 'runFinished' });
}

/** How often a failed flow is tried again: MAESTRO_RETRY, else once. */
function retries() {
  const wanted = Number(process.env.MAESTRO_RETRY ?? 1);
  return Number.isInteger(wanted) && wanted >= 0 ? Math.min(wanted, 10) : 1;
}

/** What the report says of the flows, by file; nothing where there is none. */
async function tryFlows(files) {
  const report = path.join(folder, `report-${Math.random().toString(36).slice(2)}.xml`);
  const child = spawn(program, ['test', '--format', 'junit', '--output', report, ...files], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const { error, code } = await new Promise((resolve) => {
    child.once('error', (problem) => resolve({ error: problem }));
    child.once('exit', (exitCode, signal) => resolve({ code: exitCode ?? signal }));
  });
  if (error) process.stderr.write(`${program}: ${error.message}\n`);
  return flowsIn(textOf(report), files, code);
}

function flowsIn(xml, files, code) {
  const result = new Map();
  const cases = /<testcase\b((?:[^>"']|"[^"]*"|'[^']*')*?)(?:\/>|>([^]*?)<\/testcase>)/g;
  for (const [, head, body = ''] of xml.matchAll(cases)) {
    const attribute = (name) => decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? '');
    const place = attribute('file');
    const title = attribute('name');
    // Older versions name no file.
    const file = files.find((one) => place !== '' && real(place) === real(one)) ?? files.find((one) => !result.has(one) && titleOf(one) === title); // prettier-ignore
    if (file === undefined) continue;
    const failure =
      /<(?:failure|error)\b(?:[^>]*\bmessage="([^"]*)")?[^>]*?(?:\/>|>([^]*?)<\/(?:failure|error)>)/.exec(
        body,
      );
    const isRed = failure !== null || /^(?:ERROR|CANCELED|STOPPED)$/.test(attribute('status'));
    const said = decoded(failure?.[2] ?? failure?.[1] ?? '').trim();
    result.set(file, {
      durationMs: Math.max(Number(attribute('time')) * 1000, 0) || 0,
      ...(isRed && { failure: { message: said || `Maestro ended with ${code}.` } }),
    });
  }
  return result;
}

/** One flow is one test. */
function tell(file, flow, first) {
  if (!flow) {
    send({ type: 'fileFailed', file, failure: { message: 'Maestro reported nothing about this flow.' } });
  } else {
    send({ type: 'fileCollected', file, tests: [{ key: file, suites: [], title: titleOf(file) }] });
    const { durationMs, failure } = flow;
    if (failure) send({ type: 'testEnded', key: file, outcome: 'failed', durationMs, failures: [failure] });
    else
      send({
        type: 'testEnded',
        key: file,
        outcome: 'passed',
        durationMs,
        ...(first?.failure && { flaky: first.failure }),
      });
    if (!failure && first?.failure)
      send({ type: 'note', text: `The flow "${titleOf(file)}" failed and passed when it was tried again: ${first.failure.message.split('\n')[0]}` }); // prettier-ignore
  }
  send({ type: 'fileEnded', file, durationMs: flow?.durationMs ?? 0 });
}

/** The `name` of its head, else the name of the file; maestro.ts reads it the same way. */
function titleOf(file) {
  const head = textOf(file)
    .replace(/^(?:\s*---[ \t]*\r?\n)?/, '')
    .split(/^---/m)[0];
  const name = /^name:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^#\n]*?))[ \t]*(?:#.*)?\r?$/m.exec(head);
  return (name?.[1] ?? name?.[2] ?? name?.[3]) || path.basename(file).replace(/\.ya?ml$/, '');
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return '';
  }
}

function real(file) {
  try {
    return realpathSync(path.resolve(file));
  } catch {
    return path.resolve(file);
  }
}

function decoded(text) {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text
    .replace(/^\s*<!\[CDATA\[([^]*?)\]\]>\s*$/, '$1')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return name ? (named[name] ?? whole) : point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    });
}
