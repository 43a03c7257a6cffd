// Which frames of a failure are worth showing: the user's own, not those of the runner around them.
import type { StackFrame } from '../../core/model/testResult.ts';

/** Frames outside Node and dependencies; all of them when there is no other, since a failure can lie wholly in a dependency. */
export function ownFrames(frames: readonly StackFrame[]): readonly StackFrame[] {
  const own = frames.filter(
    ({ file }) => !file.startsWith('node:') && !/(?:^|[\\/])node_modules[\\/]/.test(file),
  );
  return own.length > 0 ? own : frames;
}
