// What package.json has to say of the tools in the chat, from the tools of the MCP server: `npm run docs:tools` writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { agentToolNames } from '../../src/extension/contributions.ts';
import { tools } from '../../src/mcp/toolSet.ts';

/** For people: how they name it in a prompt (`#testmend-runTests`), and what they read of it. */
const forPeople: Readonly<Record<(typeof agentToolNames)[number], readonly [string, string]>> = {
  run_tests: ['runTests', 'Run tests and tell what failed.'],
  diagnose_failure: ['diagnoseFailure', 'Find out who is at fault for a failing test.'],
  propose_fixes: ['proposeFixes', 'Find fixes for failing tests and prove them in a copy.'],
  apply_fix: ['applyFix', 'Write a proven fix, once you have confirmed it.'],
  verify_patch: ['verifyPatch', 'Judge a patch of tests before it is written.'],
};

export function contributedTools(): readonly object[] {
  return agentToolNames.map((name) => {
    const one = tools.find((tool) => tool.name === name);
    if (one === undefined) throw new Error(`the server has no tool ${name}`);
    const [reference, userDescription] = forPeople[name];
    const { $schema: _, ...inputSchema } = z.toJSONSchema(one.input, { io: 'input' });
    return {
      name: `testmend_${name}`,
      toolReferenceName: `testmend-${reference}`,
      displayName: one.title,
      canBeReferencedInPrompt: true,
      icon: '$(beaker)',
      tags: ['testing'],
      userDescription,
      modelDescription: one.about.replaceAll(
        new RegExp(`\\b(${agentToolNames.join('|')})\\b`, 'g'),
        'testmend_$1',
      ),
      inputSchema,
    };
  });
}

if (process.argv[1] === import.meta.filename) {
  const file = path.resolve(import.meta.dirname, '../../package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.contributes.languageModelTools = contributedTools();
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
