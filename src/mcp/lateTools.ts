// The tools by name alone: they and the engine behind them are loaded for the first question about them, so that a handshake waits for nothing.
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { Tool } from './tool.ts';

/** In the order of `tools`, and those of pages after them. */
export const toolNames = [
  'get_runner_info',
  'list_tests',
  'run_tests',
  'run_failed',
  'run_affected',
  'get_test_report',
  'get_failure_details',
  'get_test_history',
  'get_optimization_plan',
  'generate_html_report',
  'diagnose_failure',
  'propose_fixes',
  'apply_fix',
  'run_fix_cycle',
  'verify_patch',
  'generate_test',
  'list_healings',
  'decide_healing',
  'team_msg',
  'get_review',
  'accept_fixes',
] as const;
type ToolName = (typeof toolNames)[number];

export async function toolNamed(name: ToolName): Promise<Tool> {
  const { tools, toolsOfPages } = await import('./toolSet.ts');
  const found = [...tools, ...toolsOfPages].find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no tool ${name}`);
  return found;
}

/** What the tool takes, as the protocol's library asks for it. The list of tools has the whole of it. */
export function lateInput(name: ToolName): StandardSchemaWithJSON {
  const anyObject = (): Record<string, unknown> => ({ type: 'object' });
  return {
    '~standard': {
      version: 1,
      vendor: 'testmend',
      validate: async (value: unknown) => (await toolNamed(name)).input['~standard'].validate(value),
      jsonSchema: { input: anyObject, output: anyObject },
    },
  };
}
