// The tools of the MCP server for agents in the editor, which has its user to ask.
import { z } from 'zod';
import { HumanError } from '../core/base/humanError.ts';
import type { McpSettings } from '../mcp/allowedRoots.ts';
import { Question } from '../mcp/tool.ts';
import { tools } from '../mcp/toolSet.ts';
import { useTool } from '../mcp/useTool.ts';
import type { ToolAnswer, UseTool } from './messages.ts';

/** Throws `bad-input` for a tool that is not there, and for an input that its schema does not allow. */
export async function useAgentTool(
  { name, input, answers }: UseTool,
  settings: McpSettings,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const one = tools.find((tool) => tool.name === name);
  const parsed = one?.input.safeParse(input);
  if (one === undefined || parsed?.success !== true)
    throw new HumanError('bad-input', one ? `Invalid arguments for ${name}.` : `There is no tool ${name}.`, {
      value: name,
      remedy: parsed?.error ? z.prettifyError(parsed.error) : 'Use one of those that are listed.',
    });
  const person = { isThere: true, answer: (key: string) => answers[key] };
  const call = { settings, signal, progress: () => undefined, person };
  const answer = await useTool(one, parsed.data, call);
  return answer instanceof Question ? { question: { key: answer.key, text: answer.text } } : answer;
}
