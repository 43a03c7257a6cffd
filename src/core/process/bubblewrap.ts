// A jail by bubblewrap (`bwrap`), where it is installed.
import type { Jail, Mount } from './jail.ts';
import { kernelPlaces, kernelSecrets } from './kernelPlaces.ts';
import { programOnPath } from './programOnPath.ts';

/** Undefined where it is not on PATH. Whether the system lets it work is another question. */
export function bubblewrap(): Jail | undefined {
  const command = programOnPath(['bwrap']);
  if (command === undefined) return undefined;
  return {
    name: 'bubblewrap',
    wrap: ({ mounts, cwd, command: program, args }) => ({
      command,
      args: [
        ...options,
        ...kernelPlaces().flatMap((place) => ['--ro-bind', place, place]),
        ...kernelSecrets().flatMap((place) => ['--ro-bind', '/dev/null', place]),
        ...mounts.flatMap(wordsOf),
        '--chdir',
        cwd,
        '--',
        program,
        ...args,
      ],
    }),
  };
}

/** It ends with us, even when we are killed; it has no terminal to type into, and no rights but those of its user. */
const options =
  '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session --cap-drop ALL --json-status-fd 3 --proc /proc --dev /dev'.split(
    ' ',
  );

function wordsOf({ kind, from, to }: Mount): readonly string[] {
  switch (kind) {
    case 'read':
      return ['--ro-bind', from, to];
    case 'write':
      return ['--bind', from, to];
    case 'empty':
      return ['--tmpfs', to];
  }
}
