// Keeps Node's inspector of our own processes closed, which SIGUSR1 would open to every process of this machine: tests can send it.

/** A listener takes the place of what Node does on the signal. `--inspect` works as ever. */
export function keepInspectorClosed(): void {
  process.on('SIGUSR1', () => undefined);
}
