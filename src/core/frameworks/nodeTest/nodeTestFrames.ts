// Results in what a test file prints: its child processes send theirs to node's own runner, through the stdout that they inherit.
import { deserialize } from 'node:v8';
import type { InheritedResults } from '../framework.ts';

/** A frame: version of V8's format (2 bytes), length (4), version again, and an object whose first key is `type`. */
const prefix = Buffer.from('o"\u0004type"');
const bodyAt = 8;
const failing = Buffer.from('o"\u0004type"\ttest:fail"');
/** Longer ones are taken for text. */
const longest = 64 * 1024 * 1024;

/** Takes the frames out of the output. Whatever is printed can only add a failure: nothing in here is taken for a pass. */
export class NodeTestFrames implements InheritedResults {
  failure: string | undefined;
  #held: Buffer[] = [];
  #length = 0;
  /** So many bytes have to be there before it is of use to look again. */
  #wanted = 0;

  read(chunk: Buffer): Buffer {
    this.#held.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return Buffer.alloc(0);
    return this.#take(Buffer.concat(this.#held), false);
  }

  finish(): Buffer {
    return this.#take(Buffer.concat(this.#held), true);
  }

  /** What of the bytes is text; the rest, where more may come, is kept. */
  #take(bytes: Buffer, isEnd: boolean): Buffer {
    const shown: Buffer[] = [];
    let rest = bytes;
    this.#wanted = 0;
    while (rest.length > 0) {
      const at = rest.indexOf(0xff);
      const frame = at < 0 ? rest : rest.subarray(at);
      const size = at < 0 ? 0 : frameSize(frame);
      shown.push(at < 0 ? rest : rest.subarray(0, at));
      if (size > frame.length && !isEnd) {
        this.#wanted = size;
        rest = frame;
        break;
      }
      const isFrame = size > 0 && size <= frame.length;
      if (isFrame) this.failure ??= failureIn(frame.subarray(bodyAt - 2, size));
      else if (at >= 0) shown.push(frame.subarray(0, 1));
      rest = at < 0 ? rest.subarray(rest.length) : frame.subarray(isFrame ? size : 1);
    }
    this.#held = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return Buffer.concat(shown);
  }
}

/** Bytes of the frame that begins here, as far as they tell; 0 where none does. */
function frameSize(bytes: Buffer): number {
  const head = bodyAt + prefix.length;
  const [, version = 0x0f] = bytes;
  if (version < 0x0d || version > 0x1f) return 0;
  const isVersioned = bytes.length <= 6 || (bytes[6] === 0xff && (bytes[7] ?? version) === version);
  const body = bytes.subarray(bodyAt, head);
  if (!isVersioned || !body.equals(prefix.subarray(0, body.length))) return 0;
  if (bytes.length < head) return head;
  const size = 6 + bytes.readUInt32BE(2);
  return size >= head && size <= longest ? size : 0;
}

function failureIn(message: Buffer): string | undefined {
  const at = message.indexOf(failing);
  if (at < 0) return undefined;
  const data = at === 2 ? dataOf(message) : undefined;
  if (data && data.todo !== undefined && data.todo !== false) return undefined;
  return `${data?.name === undefined ? 'A test' : `"${data.name}"`} failed in a process or worker that this file started.`;
}

/** Undefined for what this version of node cannot read. */
function dataOf(message: Buffer): { readonly name?: string; readonly todo?: unknown } | undefined {
  try {
    const { data }: { readonly data?: unknown } = deserialize(message);
    if (typeof data !== 'object' || data === null) return undefined;
    const name: unknown = Reflect.get(data, 'name');
    return { ...(typeof name === 'string' && { name }), todo: Reflect.get(data, 'todo') };
  } catch {
    return undefined;
  }
}
