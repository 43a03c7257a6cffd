// Reads a recorded fix cycle: the events that `testmend fix --events ndjson` wrote, one a line.
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { errorMessage, HumanError } from '../../core/base/humanError.ts';
import { cycleEventSchema, type CycleEvent } from '../../core/model/cycle.ts';

/** A larger file is refused: the panel holds all of it. */
export const mostMegabytes = 32;

export interface Recording {
  /** Absolute path. */
  readonly file: string;
  /** Of the workspace that the cycle ran in, as the recording has it; it may be one of another machine. */
  readonly root: string;
  readonly events: readonly CycleEvent[];
  /** What is missing at the end, as a sentence. */
  readonly missing?: string;
}

/** Throws a `bad-input` HumanError that names file, line and remedy; a last line that was cut off is left out and told. */
export async function readRecording(file: string): Promise<Recording> {
  refuseWhatIsNoFile(file);
  const events: CycleEvent[] = [];
  let torn: number | undefined;
  for await (const { number, text, isWhole } of linesOf(file)) {
    if (text.trim() === '') continue;
    const value = parsed(text);
    if (value === undefined && !isWhole && events.length > 0) torn = number;
    else events.push(eventOf(value, { file, number, isFirst: events.length === 0 }));
  }
  const [first] = events;
  if (first?.type !== 'cycleStarted') throw wrong(file, 'holds no events', recordAnew);
  const hasEnded = events.some(({ type }) => type === 'cycleEnded');
  const missing =
    torn !== undefined
      ? `Line ${torn} is incomplete and left out; the events before it are shown.`
      : 'The recording ends before the cycle did.';
  return { file, root: first.root, events, ...(torn === undefined && hasEnded ? {} : { missing }) };
}

const recordAnew = 'Record the cycle again: "testmend fix --events ndjson=FILE".';

function refuseWhatIsNoFile(file: string): void {
  let found;
  try {
    found = statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw wrong(file, `cannot be read: ${errorMessage(error)}`, 'Choose a file that can be read.');
  }
  if (found === undefined) throw wrong(file, 'does not exist', 'Choose a file that exists.');
  if (!found.isFile()) throw wrong(file, 'is not a file', 'Choose a file with recorded events.');
  if (found.size > mostMegabytes * 1024 * 1024) throw tooLarge(file);
}

interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** It ends with a line end. */
  readonly isWhole: boolean;
}

/** Only "\n" ends a line: a text in JSON may hold every other line end. */
async function* linesOf(file: string): AsyncGenerator<Line> {
  let begun: string[] = [];
  let number = 1;
  let length = 0;
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 1024 * 1024 });
  try {
    for await (const chunk of stream) {
      const text = String(chunk);
      length += text.length;
      // It may have grown since it was looked at.
      if (length > mostMegabytes * 1024 * 1024) throw tooLarge(file);
      const [head = '', ...others] = text.split('\n');
      begun.push(head);
      for (const next of others) {
        yield { number, text: begun.join(''), isWhole: true };
        number += 1;
        begun = [next];
      }
    }
  } catch (error) {
    if (error instanceof HumanError) throw error;
    throw wrong(file, `cannot be read: ${errorMessage(error)}`, 'Choose a file that can be read.');
  }
  yield { number, text: begun.join(''), isWhole: false };
}

/** undefined for what is no JSON, which itself has no such value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

interface Place {
  readonly file: string;
  readonly number: number;
  readonly isFirst: boolean;
}

const knownTypes: ReadonlySet<string> = new Set(
  cycleEventSchema.options.map(({ shape }) => shape.type.value),
);

function eventOf(value: unknown, { file, number, isFirst }: Place): CycleEvent {
  const refuse = (trouble: string, remedy: string): HumanError =>
    wrong(file, `line ${number} ${trouble}`, remedy);
  if (value === undefined) throw refuse('is not JSON', recordAnew);
  const type =
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
      ? value.type
      : undefined;
  if (type === undefined) throw refuse('is not an event of a fix cycle: it has no type', recordAnew);
  if (!knownTypes.has(type))
    throw refuse(
      `is an event of the type ${JSON.stringify(type.slice(0, 40))}, which this version of Testmend does not know`,
      'Open it with the version of Testmend that recorded it, or choose a file of events.',
    );
  const { data, error } = cycleEventSchema.safeParse(value);
  if (error !== undefined) {
    const [issue] = error.issues;
    const where = issue === undefined ? '' : `: ${issue.path.join('.')}: ${issue.message}`;
    throw refuse(
      `is not a complete event of the type ${JSON.stringify(type)}${where}`,
      'It was changed, or recorded by another version of Testmend: open it with that one, or record the cycle again.',
    );
  }
  if (isFirst && data.type !== 'cycleStarted')
    throw refuse(
      'is the first event and not "cycleStarted"',
      'Open the whole recording, beginning with its first line.',
    );
  if (!isFirst && data.type === 'cycleStarted')
    throw refuse('begins another cycle', 'Put each cycle into a file of its own.');
  return data;
}

function wrong(file: string, trouble: string, remedy: string): HumanError {
  const message = `${path.basename(file)}${/^line \d/.test(trouble) ? ', ' : ' '}${trouble}.`;
  return new HumanError('bad-input', message, { file, remedy });
}

const tooLarge = (file: string): HumanError =>
  wrong(
    file,
    `is larger than ${mostMegabytes} MB, the largest that can be shown`,
    'Record a cycle of fewer test files.',
  );
