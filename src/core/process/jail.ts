// Runs a program in a jail of the system: it sees and writes what it is given, and nothing that it started lives on after it.
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isInside } from '../base/paths.ts';
import { runProcess, type ProcessRequest, type ProcessResult } from './runProcess.ts';

/** What stands at an absolute path in the jail: a place of the system to be read or written, or an empty folder. */
export interface Mount {
  readonly kind: 'read' | 'write' | 'empty';
  readonly from: string;
  readonly to: string;
}

interface JailedCommand {
  /** Parents before what lies in them. */
  readonly mounts: readonly Mount[];
  /** An empty folder of the caller's that the jail may use while it is made. */
  readonly scratch: string;
  readonly cwd: string;
  readonly command: string;
  readonly args: readonly string[];
}

export interface Jail {
  /** For people. */
  readonly name: string;
  /** The command line that starts the command in it. */
  wrap(jailed: JailedCommand): { readonly command: string; readonly args: readonly string[] };
}

/** What a program in a jail has beside the programs of the system; absolute paths, which are the same inside. */
export interface JailView {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Stand empty, where they would be seen. */
  readonly hidden: readonly string[];
  /** A folder of the caller's; stands for the user's home and for the folders of temporary files. */
  readonly folder: string;
}

/** Programs, their libraries and their configuration. Devices, processes and temporary files are the jail's own. */
const systemPlaces =
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu/store /run/current-system /var/lib/ca-certificates'.split(
    ' ',
  );

/** Is a program in it alone, and does it not see a file that it was not given? */
export async function works(jail: Jail, folder: string): Promise<boolean> {
  const outside = path.join(folder, 'outside');
  await mkdir(folder, { recursive: true });
  await writeFile(outside, '');
  const view: JailView = { readable: [], writable: [], hidden: [], folder };
  const args = ['-c', 'test "$$" -lt 1000 && ! test -e "$1" && exit 7', 'sh', outside];
  const asked: ProcessRequest = { command: '/bin/sh', args, cwd: '/', timeoutMs: 10_000 };
  return (await runInJail(jail, view, asked)).exitCode === 7;
}

/** As runProcess; it resolves when nothing is left in the jail. */
export async function runInJail(jail: Jail, view: JailView, request: ProcessRequest): Promise<ProcessResult> {
  const scratch = path.join(view.folder, 'jail');
  for (const name of [scratch, ...ownFolders().map(([own]) => path.join(view.folder, own))])
    await mkdir(name, { recursive: true });
  await writeFile(path.join(view.folder, emptyFile), '');
  const [command, ...args] = withoutOpenFiles([request.command, ...request.args]);
  const jailed = { mounts: mountsOf(view), scratch, cwd: request.cwd, command, args };
  let first = 0;
  const result = await runProcess({
    ...request,
    ...jail.wrap(jailed),
    cwd: '/',
    env: { ...request.env, TMPDIR: '/tmp' },
    onMessageLine: (line) => (first ||= Number(/"child-pid": (\d+)/.exec(line)?.[1] ?? 0)),
  });
  // When the first process of such a namespace is gone, so are all others.
  if (first > 0) await waitForEnd(first);
  return result;
}

/** A file that our own parent left open would be open in the jail, too; node closes those that it knows only. */
function withoutOpenFiles(words: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const bash = ['/bin/bash', '/usr/bin/bash'].find((file) => existsSync(file));
  if (bash === undefined) return words;
  const close =
    'for fd in /proc/self/fd/*; do fd=${fd##*/}; [ "$fd" -gt 2 ] && eval "exec $fd>&-"; done; exec "$@"';
  return [bash, '--noprofile', '--norc', '-c', close, 'bash', ...words];
}

async function waitForEnd(pid: number): Promise<void> {
  for (let turn = 0; turn < 500 && isRunning(pid); turn++)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // A dead one that nobody has waited for yet is `Z`.
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return false;
  }
}

/** Parents first, so that what lies in another place covers it. */
function mountsOf({ readable, writable, hidden, folder }: JailView): readonly Mount[] {
  const system = systemPlaces.filter((place) => existsSync(place));
  const read = (place: string): Mount => ({ kind: 'read', from: place, to: place });
  const isShown = (place: string): boolean =>
    [...system, ...readable, ...writable].some((shown) => isInside(shown, place));
  const mounts: Mount[] = [
    ...system.map(read),
    ...nameServers().map(read),
    ...ownFolders().map(([name, to]): Mount => ({ kind: 'write', from: path.join(folder, name), to })),
    ...hidden
      .filter((place) => isShown(place) && existsSync(place))
      .map((place): Mount => ({ kind: 'empty', from: place, to: place })),
    ...readableByFew('/etc').map(({ place, isFolder }): Mount =>
      isFolder
        ? { kind: 'empty', from: place, to: place }
        : { kind: 'read', from: path.join(folder, emptyFile), to: place },
    ),
    ...readable.filter((place) => existsSync(place)).map(read),
    ...writable.map((place): Mount => ({ kind: 'write', from: place, to: place })),
  ];
  // The last word on a place counts.
  const byPlace = new Map(mounts.map((mount) => [mount.to, mount]));
  const depth = ({ to }: Mount): number => to.split('/').length;
  return [...byPlace.values()].sort((a, b) => depth(a) - depth(b));
}

/** Folders below `JailView.folder` and what they stand for. */
const ownFolders = (): readonly (readonly [name: string, place: string])[] => [
  ...(os.homedir() === '/' ? [] : ([['home', os.homedir()]] as const)),
  ['temporary', '/tmp'],
  ['temporary', '/var/tmp'],
];

/** Below `JailView.folder`; stands for files of the system that are hidden. */
const emptyFile = 'empty';

/** What we may read of the system's configuration and other users may not, as `/etc/shadow` when we are root. */
function readableByFew(folder: string): readonly { readonly place: string; readonly isFolder: boolean }[] {
  return readdirSync(folder).flatMap((name) => {
    const place = path.join(folder, name);
    try {
      const stats = lstatSync(place);
      const isFolder = stats.isDirectory();
      if (!isFolder && !stats.isFile()) return [];
      const needed = isFolder ? 0o005 : 0o004;
      if ((stats.mode & needed) === needed) return isFolder ? readableByFew(place) : [];
      accessSync(place, isFolder ? constants.X_OK : constants.R_OK);
      return [{ place, isFolder }];
    } catch {
      return [];
    }
  });
}

/** The configuration of names in /etc often leads to a file in /run, which is hidden with its sockets. */
function nameServers(): readonly string[] {
  try {
    const real = realpathSync('/etc/resolv.conf');
    return real.startsWith('/etc/') ? [] : [real];
  } catch {
    return [];
  }
}
