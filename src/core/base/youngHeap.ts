// Lets the heap of a process that soon fills it grow at once: what is found or told by the ten thousand lives on.
import { setFlagsFromString } from 'node:v8';

/** The newest version of Node with which it was tried. */
const lastTried = 24;

/** V8 doubles the space for new objects step by step and copies what lives each time; so it takes its full 16 MB in one. */
export function growYoungHeap(): void {
  // A flag that a later V8 does not know would be complained of on stderr.
  if (Number.parseInt(process.versions.node, 10) > lastTried) return;
  setFlagsFromString('--semi-space-growth-factor=16');
}
