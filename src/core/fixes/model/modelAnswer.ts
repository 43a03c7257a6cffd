// What a model answers, checked: edits as search and replace, each for a place that is there exactly once.
import path from 'node:path';
import { z } from 'zod';
import { fileEdit, type FileEdit } from '../../model/edit.ts';
import type { TextChange } from '../../model/fileEdit.ts';

const modelAnswerSchema = z.object({
  /** One sentence. */
  explanation: z.string(),
  /** Empty: the model found nothing to change in the tests. */
  edits: z.array(z.object({ file: z.string(), search: z.string(), replace: z.string() })),
});
type ModelAnswer = z.infer<typeof modelAnswerSchema>;

/** For endpoints that hold a model to a schema. */
export const answerJsonSchema = z.toJSONSchema(modelAnswerSchema, { target: 'draft-7' });

/** The answer in a text that may stand in a code block or among other words; a sentence for people when there is none. */
export function readAnswer(text: string): ModelAnswer | string {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n```/.exec(text)?.[1];
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fenced, braced]) {
    const parsed = modelAnswerSchema.safeParse(parsedJson(candidate ?? ''));
    if (parsed.success) return parsed.data;
  }
  return 'The model did not answer in the requested JSON format.';
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface ReadEdits {
  readonly edits: readonly FileEdit[];
  /** What was left out of the answer and why, one sentence each. */
  readonly dropped: readonly string[];
}

/**
 * The edits of an answer. `mayChange`: files by their paths relative to the root; `readText` is asked for these only. A change of
 * another file is dropped; one whose place is missing or not the only one makes the answer useless, and gives no edits.
 */
export async function readEdits(
  { edits }: ModelAnswer,
  mayChange: ReadonlySet<string>,
  readText: (file: string) => Promise<string | undefined>,
): Promise<ReadEdits> {
  const changes = new Map<string, { readonly text: string; readonly all: TextChange[] }>();
  const dropped: string[] = [];
  for (const { file: written, search, replace } of edits) {
    const file = path.posix.normalize(written.replaceAll('\\', '/')).replace(/^\.\//, '');
    if (!mayChange.has(file)) {
      dropped.push(
        `The model wanted to change ${JSON.stringify(written)}, which is not one of the test files it was asked about.`,
      );
      continue;
    }
    const known = changes.get(file) ?? { text: (await readText(file)) ?? '', all: [] };
    changes.set(file, known);
    const place = placeOf(search, known.text);
    if (typeof place === 'string') return { edits: [], dropped: [...dropped, `${place} in ${file}.`] };
    if (known.all.some(({ start, end }) => place.start < end && start < place.end))
      return { edits: [], dropped: [...dropped, `The model changes one place of ${file} twice.`] };
    if (replace !== search) known.all.push({ ...place, newText: replace });
  }
  return {
    edits: [...changes].flatMap(([file, { text, all }]) =>
      all.length > 0 ? [fileEdit(file, text, all)] : [],
    ),
    dropped,
  };
}

/** Line ends may differ from those of the file; everything else is taken literally. */
function placeOf(search: string, text: string): { readonly start: number; readonly end: number } | string {
  if (search === '') return 'The model names an empty text to replace';
  const wanted = text.includes('\r\n') ? search.replace(/\r?\n/g, '\r\n') : search;
  const start = text.indexOf(wanted);
  if (start < 0) return 'The text that the model wants to replace does not exist';
  if (text.includes(wanted, start + 1))
    return 'The text that the model wants to replace exists more than once';
  return { start, end: start + wanted.length };
}
