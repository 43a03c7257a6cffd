// The script of the fix review in a chat: the panel, with tools of our server behind its buttons.
// oxlint-disable-next-line import/no-unassigned-import -- it must run before any schema is made
import './withoutEval.ts';
import { z } from 'zod';
import { ChatHost, errorText, type ToolResult } from './chatHost.ts';
import { watchSize, wear } from './chatLook.ts';
import { ChatReview } from './chatReview.ts';
import { startPanel } from './startPanel.ts';

declare const TESTMEND_VERSION: string;

/** Of the tools that a review is shown for. */
const cycleAnswerSchema = z.object({ cycleId: z.string().optional(), outcome: z.string() });

const main = document.querySelector('main');
if (main !== null) startReview(main);

function startReview(shown: HTMLElement): void {
  const opening = shown.querySelector('.opening');
  const say = (text: string): void => {
    if (opening !== null) opening.textContent = text;
  };
  let review: ChatReview | undefined;
  let root: string | undefined;
  const take = startPanel(shown, {
    send: (message) => review?.decide(message),
    kept: undefined,
    keep: () => undefined,
  });
  const open = async (result: ToolResult): Promise<void> => {
    if (result.isError === true) throw new Error(errorText(result));
    const { cycleId, outcome } = cycleAnswerSchema.parse(result.structuredContent);
    if (cycleId === undefined) return say(outcome);
    review = await ChatReview.open(host, take, cycleId, root);
  };
  const sayWhy = (error: unknown): void => say(error instanceof Error ? error.message : String(error));
  const host = new ChatHost(window.parent, {
    input: ({ root: named }) => (root = typeof named === 'string' ? named : undefined),
    result: (result) => void open(result).catch(sayWhy),
    cancelled: () => say('Cancelled.'),
    look: wear,
  });
  host
    .connect(TESTMEND_VERSION)
    .then(() => watchSize((width, height) => host.tellSize(width, height)))
    .catch(sayWhy);
}
