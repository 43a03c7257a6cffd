// A chat that shows pages of MCP servers, as the extension's own library makes one: its bridge in a real browser, a real client behind it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { build } from 'esbuild';
import type { Frame, Page } from 'playwright-core';
import { z } from 'zod';
import type { McpTestClient } from '../mcp/mcpClient.ts';

/** What a client says that shows pages. */
export const pagesCapability = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

export interface ShownPage {
  readonly frame: Frame;
  /** What the tool gave. */
  readonly answer: unknown;
  /** Texts that the page told the model, the last one last. */
  readonly toldModel: readonly string[];
  /** Heights that the page asked for, px. */
  readonly heights: readonly number[];
  /** What the browser and the page complained about. */
  readonly complaints: readonly string[];
  /** The chat has another look from now on. */
  wear(theme: 'light' | 'dark'): Promise<void>;
}

const hostScript = `
  import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
  window.showPage = async ({ html, input, result, theme }) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.style.cssText = 'width: 100%; height: 200px; border: 0';
    document.body.append(frame);
    const capabilities = { serverTools: {}, updateModelContext: { text: {} } };
    const context = { theme, displayMode: 'inline', platform: 'web' };
    const bridge = new AppBridge(null, { name: 'chat', version: '1' }, capabilities, { hostContext: context });
    bridge.oncalltool = (params) => window.callServer(params);
    bridge.onupdatemodelcontext = async ({ content }) => (await window.toldModel(content[0].text), {});
    bridge.onsizechange = ({ height }) => { frame.style.height = height + 'px'; void window.sized(height); };
    const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
    frame.srcdoc = html;
    await ready;
    window.wear = (next) => bridge.setHostContext({ ...context, theme: next });
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result);
  };`;

const listedSchema = z.object({
  _meta: z.object({ ui: z.object({ resourceUri: z.string().startsWith('ui://') }) }),
});
const pageSchema = z.tuple([
  z.object({ mimeType: z.literal('text/html;profile=mcp-app'), text: z.string() }),
]);

/** Calls the tool as a model does, and shows the page that the tool names, with its result. */
export async function showToolPage(
  page: Page,
  { client }: McpTestClient,
  tool: { readonly name: string; readonly arguments: Record<string, unknown> },
  theme: 'light' | 'dark' = 'dark',
): Promise<ShownPage> {
  const { tools } = await client.listTools();
  const { resourceUri } = listedSchema.parse(tools.find(({ name }) => name === tool.name))['_meta'].ui;
  const { contents } = await client.readResource({ uri: resourceUri });
  const [{ text: html }] = pageSchema.parse(contents);
  const result = await client.callTool(tool, { timeout: 120_000 });
  const toldModel: string[] = [];
  const heights: number[] = [];
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') complaints.push(line.text());
  });
  await page.setContent('<!DOCTYPE html><body style="margin: 0"></body>');
  await page.exposeFunction('callServer', (params: typeof tool) =>
    client.callTool(params, { timeout: 120_000 }),
  );
  await page.exposeFunction('toldModel', (text: string) => void toldModel.push(text));
  await page.exposeFunction('sized', (height: number) => void heights.push(height));
  await page.addScriptTag({ content: await bundledHost() });
  await page.evaluate((shown) => Reflect.get(window, 'showPage')(shown), {
    html,
    input: tool.arguments,
    result,
    theme,
  });
  const [, frame] = page.frames();
  assert.ok(frame, 'the page has a frame');
  return {
    frame,
    answer: result.structuredContent,
    toldModel,
    heights,
    complaints,
    wear: (next) => page.evaluate((one) => Reflect.get(window, 'wear')(one), next),
  };
}

async function bundledHost(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: hostScript, resolveDir: path.resolve(import.meta.dirname, '../..') },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
