'use strict';
// Measures the extension host from inside: processor time, blocked event loop, heap. Answers on a loopback port.
const fs = require('node:fs');
const http = require('node:http');
const { Session } = require('node:inspector/promises');
const v8 = require('node:v8');
const vm = require('node:vm');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const resolutionMs = 5;
const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
const profiler = new Session();
let cpu = process.cpuUsage();

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

const answers = {
  '/start': () => {
    histogram.reset();
    cpu = process.cpuUsage();
    return {};
  },
  '/read': () => {
    const { user, system } = process.cpuUsage(cpu);
    return {
      cpuMs: (user + system) / 1000,
      // The monitor counts from one tick of its timer to the next.
      blockedMs: Math.max(0, histogram.max / 1e6 - resolutionMs),
    };
  },
  '/heap': () => {
    collect();
    collect();
    return { heapMb: process.memoryUsage().heapUsed / 2 ** 20 };
  },
  '/startProfile': async () => {
    profiler.connect();
    await profiler.post('Profiler.enable');
    await profiler.post('Profiler.setSamplingInterval', { interval: 500 });
    await profiler.post('Profiler.start');
    return {};
  },
  '/stopProfile': async () => {
    const { profile } = await profiler.post('Profiler.stop');
    profiler.disconnect();
    return { ownMs: ownTime(profile) };
  },
};

/** Milliseconds spent in Testmend's code and in whatever that code called. */
function ownTime({ nodes, samples, timeDeltas }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const known = new Map(nodes.map(({ id, callFrame }) => [id, /testmend\.testmend-/.test(callFrame.url)]));
  const isOwn = (id) => {
    for (let at = id; at !== undefined; at = parents.get(at)) if (known.get(at)) return true;
    return false;
  };
  const own = new Map(nodes.map(({ id }) => [id, isOwn(id)]));
  return samples.reduce((sum, id, index) => sum + (own.get(id) ? timeDeltas[index] / 1000 : 0), 0);
}

exports.activate = (context) => {
  histogram.enable();
  const server = http.createServer(async (request, response) => {
    const answer = answers[request.url];
    const body = answer ? { pid: process.pid, ...(await answer()) } : {};
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  context.subscriptions.push({ dispose: () => server.close() });
  server.listen(0, '127.0.0.1', () =>
    fs.writeFileSync(process.env.TESTMEND_PROBE_FILE, String(server.address().port)),
  );
};
