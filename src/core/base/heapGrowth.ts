// How the heap of our processes grows: at once where much lives on, as what is found by the ten thousand, and else not far beyond what lives.
import { setFlagsFromString } from 'node:v8';

/** The newest version of Node with which it was tried. */
const lastTried = 24;

/**
 * V8 lets a heap become four times what lives in it before it collects: most of that is what a fix cycle parsed and needs no more. From now
 * on it may become twice as large, which costs no time that can be measured: little lives for long.
 */
export function boundOldHeap(): void {
  if (isTried()) setFlagsFromString('--heap-growing-percent=100');
}

/** V8 doubles the space for new objects step by step and copies what lives each time; so it takes its full 16 MB in one. */
export function growYoungHeap(): void {
  if (isTried()) setFlagsFromString('--semi-space-growth-factor=16');
}

/** A flag that a later V8 does not know would be complained of on stderr. */
const isTried = (): boolean => Number.parseInt(process.versions.node, 10) <= lastTried;
