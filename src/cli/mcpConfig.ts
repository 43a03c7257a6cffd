// The configuration that `testmend mcp --print-config CLIENT` prints for each client, to be pasted into its own file.

export const mcpClients = ['vscode', 'claude', 'cursor', 'codex', 'gemini'] as const;
type McpClient = (typeof mcpClients)[number];

interface Printed {
  /** Where the text belongs. */
  readonly file: string;
  readonly text: string;
}

/** Of tests, which take longer than clients wait by themselves, s. */
const patience = 900;

export function mcpConfig(client: McpClient): Printed {
  const start = (folder: string) => ({ command: 'npx', args: ['--no-install', 'testmend', 'mcp', folder] });
  const here = start('.');
  switch (client) {
    case 'vscode':
      return json('.vscode/mcp.json', {
        servers: { testmend: { type: 'stdio', ...start('${workspaceFolder}') } },
      });
    case 'claude':
      return json('.mcp.json', { mcpServers: { testmend: { type: 'stdio', ...here } } });
    case 'cursor':
      return json('.cursor/mcp.json', { mcpServers: { testmend: start('${workspaceFolder}') } });
    case 'gemini':
      return json('.gemini/settings.json', {
        mcpServers: { testmend: { ...here, timeout: patience * 1_000 } },
      });
    case 'codex':
      return {
        file: '~/.codex/config.toml',
        text: [
          '[mcp_servers.testmend]',
          `command = ${JSON.stringify(here.command)}`,
          `args = ${JSON.stringify(here.args)}`,
          `tool_timeout_sec = ${patience}`,
          '',
        ].join('\n'),
      };
  }
}

const json = (file: string, data: object): Printed => ({ file, text: `${JSON.stringify(data, null, 2)}\n` });
