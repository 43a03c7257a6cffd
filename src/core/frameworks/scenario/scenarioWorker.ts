// The process that runs scenarios and tells what became of each: `scenarioWorker TASK -- <scenario files>`. One browser for all of them.
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadedScenario } from '../../scenario/project/loadProject.ts';
import reporterChannel from '../reporterChannel.cjs';
import { openBrowser, type OpenedBrowser } from './openBrowser.ts';
import { scenarioMessages } from './scenarioMessages.ts';
import { loadScenarios } from './loadScenarios.ts';
import { runLoaded } from './runLoaded.ts';
import { workerTaskSchema } from './workerTask.ts';

const channel = reporterChannel.openChannel();
const [taskText, , ...files] = process.argv.slice(2);
if (channel && taskText !== undefined) {
  reporterChannel.endWithParent();
  // What Playwright leaves open (a page that hangs) is ended with this process: it kills its browsers at its exit.
  void main(taskText, files).finally(() => process.exit());
}

async function main(text: string, names: readonly string[]): Promise<void> {
  const send = (message: object): void => channel?.send(message);
  const task = workerTaskSchema.parse(JSON.parse(text));
  const messages = scenarioMessages(send);
  const version = String(
    createRequire(task.playwright)(path.join(packageOf(task.playwright), 'package.json')).version,
  );
  send({ type: 'runStarted', framework: 'scenario', version });
  send({ type: 'filesQueued', files: names.map((file) => ({ file })) });
  const loaded = loadScenarios(names, task);
  for (const one of loaded) if ('problem' in one) messages.broken(one.file, one.problem);
  const scenarios = loaded.filter((one): one is LoadedScenario => !('problem' in one));
  for (const one of scenarios) messages.collected(one);
  const ended = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort());
  // The start, not the browser: scenarios that begin side by side ask for it before it is there.
  let browser: Promise<OpenedBrowser> | undefined;
  const opened = (first: LoadedScenario): Promise<OpenedBrowser> =>
    (browser ??= openBrowser(task, first.project.config));
  try {
    await runLoaded(scenarios, { task, opened, messages, signal: ended.signal });
  } finally {
    const started = await browser?.catch(() => undefined);
    await started?.close();
  }
  if (!ended.signal.aborted) send({ type: 'runFinished' });
}

/** Folder of the package that the file is part of. */
function packageOf(entry: string): string {
  const plain = entry.startsWith('file:') ? fileURLToPath(entry) : entry;
  const at = plain.lastIndexOf(`${path.sep}node_modules${path.sep}`);
  const [first = '', second = ''] = plain.slice(at + '/node_modules/'.length).split(path.sep);
  return path.join(plain.slice(0, at), 'node_modules', first, first.startsWith('@') ? second : '');
}
