// Loads the user's vitest and waits for the run: `node vitestHost.mjs <entry>`. The next run of a fix cycle finds it started.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import reporterChannel from '../reporterChannel.cjs';

const { TESTMEND_CHANNEL: place } = process.env;
delete process.env.TESTMEND_SPARE;
// Nobody but our reporter is to know of it, and that one takes it when it is loaded.
delete process.env.TESTMEND_CHANNEL;
const [node, , entry] = process.argv;
// What cannot be loaded alone is loaded by vitest itself.
await import(pathToFileURL(path.join(path.dirname(realpathSync(entry)), 'dist/node.js')).href).catch(
  () => undefined,
);
const { args, env } = reporterChannel.awaitTask(Number(place));
Object.assign(process.env, env, { TESTMEND_CHANNEL: place });
// As below vitest's own command, which has taken hold of the list by now.
process.argv.splice(0, process.argv.length, node, entry, ...args);
await import(pathToFileURL(entry).href);
