// The chat around a page that a tool shows in it: JSON-RPC with its window, as the MCP Apps extension has it (2026-01-26).
import { z } from 'zod';

const protocolVersion = '2026-01-26';

const messageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Message = z.infer<typeof messageSchema>;

const contextSchema = z.looseObject({
  theme: z.enum(['light', 'dark']).optional().catch(undefined),
  styles: z
    .object({ variables: z.record(z.string(), z.string().optional()).optional() })
    .optional()
    .catch(undefined),
});
/** How the chat looks; of a change only what changed. */
export type ChatLook = z.infer<typeof contextSchema>;

const initializedSchema = z.object({
  hostCapabilities: z.looseObject({ updateModelContext: z.unknown() }).partial().catch({}),
  hostContext: contextSchema.catch({}),
});

const toolResultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })).catch([]),
  structuredContent: z.unknown().optional(),
});
export type ToolResult = z.infer<typeof toolResultSchema>;

interface ChatEvents {
  /** Arguments of the tool that the page is shown for. */
  readonly input: (args: Readonly<Record<string, unknown>>) => void;
  readonly result: (result: ToolResult) => void;
  readonly cancelled: () => void;
  readonly look: (look: ChatLook) => void;
}

export class ChatHost {
  readonly #window: Window;
  readonly #events: ChatEvents;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #last = 0;
  #canTellModel = false;

  /** `host`: the window that the page is shown in. Nothing of other windows is heard. */
  constructor(host: Window, events: ChatEvents) {
    this.#window = host;
    this.#events = events;
    window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
      const parsed = messageSchema.safeParse(data);
      if (source === host && parsed.success) this.#take(parsed.data);
    });
  }

  /** Says that the page is there: only then does the chat tell it of its tool. Throws what `#ask` throws. */
  async connect(version: string): Promise<void> {
    const answer = await this.#ask('ui/initialize', {
      appInfo: { name: 'testmend-review', version },
      appCapabilities: {},
      protocolVersion,
    });
    const { hostCapabilities, hostContext } = initializedSchema.parse(answer);
    this.#canTellModel = hostCapabilities.updateModelContext !== undefined;
    this.#events.look(hostContext);
    this.#tell('ui/notifications/initialized', {});
  }

  /** A tool of the page's own server. Throws an Error with what the chat or the tool says. */
  async callTool(name: string, args: object): Promise<unknown> {
    const result = toolResultSchema.parse(await this.#ask('tools/call', { name, arguments: args }));
    if (result.isError === true) throw new Error(errorText(result));
    return result.structuredContent;
  }

  /** What the model knows from its next turn on, in place of what it was told so before; nothing where the chat passes nothing on. */
  tellModel(text: string): void {
    if (!this.#canTellModel) return;
    this.#ask('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => undefined);
  }

  tellSize(width: number, height: number): void {
    this.#tell('ui/notifications/size-changed', { width, height });
  }

  #take(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined) {
      if (typeof id !== 'number') return;
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (id !== undefined) this.#answer(id, method);
    else this.#hear(method, params);
  }

  #hear(method: string, params: unknown): void {
    if (method === 'ui/notifications/tool-input')
      this.#events.input(
        z.object({ arguments: z.record(z.string(), z.unknown()) }).safeParse(params).data?.arguments ?? {},
      );
    else if (method === 'ui/notifications/tool-result') {
      const parsed = toolResultSchema.safeParse(params);
      if (parsed.success) this.#events.result(parsed.data);
    } else if (method === 'ui/notifications/tool-cancelled') this.#events.cancelled();
    else if (method === 'ui/notifications/host-context-changed')
      this.#events.look(contextSchema.safeParse(params).data ?? {});
  }

  /** Whatever the page is to do before it goes is done. */
  #answer(id: number | string, method: string): void {
    const isKnown = method === 'ping' || method === 'ui/resource-teardown';
    const error = { code: -32601, message: `There is no ${method} here.` };
    this.#post({ id, ...(isKnown ? { result: {} } : { error }) });
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last;
    this.#post({ id, method, params });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(error.message));
      });
    });
  }

  #tell(method: string, params: object): void {
    this.#post({ method, params });
  }

  /** Whose origin a page in a chat cannot know. */
  #post(message: object): void {
    this.#window.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}

/** A refusal of our server says what to do. */
export function errorText({ content }: Pick<ToolResult, 'content'>): string {
  const text = content.map((part) => part.text ?? '').join('\n');
  const told = z.object({ error: z.object({ message: z.string(), remedy: z.string().optional() }) });
  try {
    const { message, remedy = '' } = told.parse(JSON.parse(text)).error;
    return `${message} ${remedy}`.trim();
  } catch {
    return text;
  }
}
