// A jail by user namespaces with the tools that every Linux has (`unshare`, `mount`), where there is no bubblewrap.
import type { Jail } from './jail.ts';
import { kernelPlaces, kernelSecrets } from './kernelPlaces.ts';
import { programOnPath } from './programOnPath.ts';

/** Undefined where the tools are not on PATH. Whether the system allows such namespaces is another question. */
export function userNamespaces(): Jail | undefined {
  const more = ['/usr/sbin', '/sbin'];
  const [unshare, mount, pivot] = ['unshare', 'mount', 'pivot_root'].map((name) =>
    programOnPath([name], more),
  );
  if (unshare === undefined || mount === undefined || pivot === undefined) return undefined;
  const { getuid, getgid } = process;
  if (getuid === undefined || getgid === undefined) return undefined;
  const ids = [String(getuid()), String(getgid())];
  return {
    name: 'user namespaces',
    wrap: ({ mounts, scratch, cwd, command, args }) => ({
      command: unshare,
      args: [
        ...'--user --map-root-user --mount --pid --ipc --uts --fork --kill-child=KILL /bin/sh -c'.split(' '),
        script,
        'sh',
        pivot,
        scratch,
        cwd,
        ...ids,
        ...mounts.flatMap(({ kind, from, to }) => [kind, from, to]),
        '--',
        ...kernelPlaces(),
        '--',
        ...kernelSecrets(),
        '--',
        command,
        ...args,
      ],
    }),
  };
}

/**
 * Makes a root of the mounts, enters it, and gives the rights over it away: in a user namespace below, nobody can take a mount off or
 * make it writable. The shell stays as the first process; when it ends, the system ends all others.
 */
const script = String.raw`
set -e
pivot=$1 root=$2 cwd=$3 uid=$4 gid=$5
shift 5
PATH=$PATH:/usr/sbin:/sbin
mount -t tmpfs -o mode=755 tmpfs "$root"
readonly_at() {
  mount -o remount,bind,ro "$1" 2>/dev/null || mount -o remount,bind,ro,nosuid,nodev "$1" 2>/dev/null ||
    mount -o remount,bind,ro,nosuid,nodev,noexec "$1"
}
while [ "$1" != -- ]; do
  kind=$1 from=$2 to=$root$3
  shift 3
  if [ "$kind" = empty ] || [ -d "$from" ]; then mkdir -p "$to"
  else
    mkdir -p "$(dirname "$to")"
    [ -e "$to" ] || : >"$to"
  fi
  case $kind in
    empty) mount -t tmpfs tmpfs "$to" ;;
    write) mount --rbind "$from" "$to" ;;
    read)
      mount --rbind "$from" "$to"
      while read -r _ _ _ _ point _; do
        point=$(printf %b "$point")
        case $point in "$to" | "$to"/*) readonly_at "$point" ;; esac
      done </proc/self/mountinfo
      ;;
  esac
done
shift
mkdir -p "$root/proc" "$root/dev/shm" "$root/old"
for device in null zero full random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do
  mount --bind "$root$1" "$root$1"
  readonly_at "$root$1"
  shift
done
shift
while [ "$1" != -- ]; do
  mount --bind "$root/dev/null" "$root$1"
  readonly_at "$root$1"
  shift
done
shift
cd "$root"
"$pivot" . old
cd /
umount -l /old
rmdir /old
cd "$cwd"
set +e
exec 3>&-
unshare --user --map-user="$uid" --map-group="$gid" -- "$@"
exit $?
`;
