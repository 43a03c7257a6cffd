'use strict';
// The MCP server as the chat of VS Code finds it: listed without configuration, started by VS Code, used by its agents.
const assert = require('node:assert/strict');
const vscode = require('vscode');
const { commandsBelow, engines, mcpServers, until } = require('../support.cjs');

const servers = () => commandsBelow().filter((command) => /dist[\\/]mcp\.js/.test(command));
const toolNamed = (name) => vscode.lm.tools.find((tool) => tool.name.endsWith(name) && /mcp/.test(tool.name));

const textOf = ({ content }) => content.map(({ value }) => value).join('');

describe('the MCP server in the chat', () => {
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('workbench.mcp.stopServer', '*');
  });

  it('is listed without configuration, and starts nothing until it is needed', async () => {
    await until(
      'the extension is active',
      () => vscode.extensions.getExtension('testmend.testmend')?.isActive,
    );
    await until('Testmend is listed', async () =>
      (await mcpServers()).some((row) => row.includes('Testmend')),
    );
    assert.deepEqual([servers(), engines()], [[], []]);
  });

  it('is started by VS Code with its own Node, for the folder', async () => {
    const options = { waitForLiveTools: true };
    await vscode.commands.executeCommand('workbench.mcp.startServer', '*', options);
    const [command] = await until('it runs', () => servers().length > 0 && servers());
    assert.ok(command.startsWith(process.execPath), command);
    assert.ok(command.includes(vscode.workspace.workspaceFolders[0].uri.fsPath), command);
    assert.deepEqual(engines(), []);
  });

  it('lists and runs tests for agents', async () => {
    const list = await until('its tools are there', () => toolNamed('list_tests'));
    const answer = await vscode.lm.invokeTool(list.name, { input: { search: 'says goodbye' } });
    assert.match(textOf(answer), /"id":"vitest:tests\/greeting\.test\.ts#greeting › says goodbye"/);
    const run = await vscode.lm.invokeTool(toolNamed('run_tests').name, {
      input: { files: ['tests/greeting.test.ts'], title: 'says goodbye' },
    });
    assert.match(textOf(run), /"exit_code":0,.*"passed":1,/);
  });

  it('goes away with the setting that offers it', async () => {
    const settings = vscode.workspace.getConfiguration('testmend');
    await settings.update('mcpServer', false, vscode.ConfigurationTarget.Global);
    try {
      await until('it has gone', async () => !(await mcpServers()).some((row) => row.includes('Testmend')));
    } finally {
      await settings.update('mcpServer', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
