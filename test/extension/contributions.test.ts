// Holds package.json's contributions against the constants that the code uses, both ways.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import glob from 'fast-glob';
import { z } from 'zod';
import {
  commandIds,
  controllerId,
  cycleRunningKey,
  logLanguageId,
  panelViewType,
  recordingViewType,
  serverProviderId,
  proposedScheme,
  settingChoices,
  settingDefaults,
  type SettingKey,
} from '../../src/extension/contributions.ts';
import { frameworks } from '../../src/core/frameworks/registry.ts';
import { settingValue } from '../../src/extension/settingValue.ts';
import { codeActionCommands, recordCommand, runFileCommand } from '../../src/server/messages.ts';
import { contributedTools } from './contributedTools.ts';

const root = path.resolve(import.meta.dirname, '../..');
const propertySchema = z.object({
  type: z.string(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
  default: z.unknown(),
  markdownDescription: z.string().min(20),
  scope: z.literal('resource'),
  enum: z.array(z.string()).optional(),
  enumDescriptions: z.array(z.string()).optional(),
});
const manifest = z
  .object({
    main: z.string(),
    icon: z.string(),
    activationEvents: z.array(z.string()),
    contributes: z.object({
      commands: z.array(
        z.object({ command: z.string(), title: z.string(), category: z.literal('Testmend') }),
      ),
      menus: z.record(z.string(), z.array(z.object({ command: z.string(), when: z.string() }))),
      configuration: z.object({ properties: z.record(z.string(), propertySchema) }),
      languageModelTools: z.array(z.looseObject({ name: z.string() })),
      mcpServerDefinitionProviders: z.array(z.object({ id: z.string(), label: z.literal('Testmend') })),
      languages: z.array(z.object({ id: z.string() })),
      grammars: z.array(
        z.object({
          language: z.string().optional(),
          injectTo: z.array(z.string()).optional(),
          scopeName: z.string(),
          path: z.string(),
        }),
      ),
    }),
    capabilities: z.object({
      untrustedWorkspaces: z.object({
        supported: z.literal('limited'),
        restrictedConfigurations: z.array(z.string()),
      }),
      virtualWorkspaces: z.object({ supported: z.literal(false) }),
    }),
  })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
const { contributes } = manifest;
const settingsPage = readFileSync(path.join(root, 'docs/settings.md'), 'utf8');
/** Names and texts of the extension's own files. */
const sources = glob
  .sync('**/*.ts', { cwd: path.join(root, 'src/extension') })
  .map((file) => [file, readFileSync(path.join(root, 'src/extension', file), 'utf8')] as const);

const hiddenCommands = (): readonly string[] =>
  (contributes.menus['commandPalette'] ?? [])
    .filter(({ when }) => when === 'false')
    .map(({ command }) => command);
const isKeyOf =
  (name: string) =>
  (key: string): boolean =>
    name === `testmend.${key}`;
const isSettingKey = (key: string): key is SettingKey => key in settingDefaults;

describe('what the extension contributes', () => {
  it('declares exactly the commands that the code registers', () => {
    const declared = contributes.commands.map(({ command }) => command).sort();
    assert.deepEqual(declared, [...new Set(Object.values(commandIds))].sort());
  });

  it('uses only declared commands in menus', () => {
    const declared = new Set(contributes.commands.map(({ command }) => command));
    const used = Object.values(contributes.menus).flatMap((items) => items.map(({ command }) => command));
    assert.deepEqual(
      used.filter((command) => !declared.has(command)),
      [],
    );
  });

  it('keeps commands that need an argument out of the palette', () => {
    assert.deepEqual(
      hiddenCommands().toSorted(),
      [commandIds.fixTest, commandIds.isBug, commandIds.runFile, commandIds.tryFix].sort(),
    );
  });

  it('handles the commands that code actions carry', () => {
    assert.equal(codeActionCommands.tryFix, commandIds.tryFix);
    assert.equal(codeActionCommands.isBug, commandIds.isBug);
    assert.equal(runFileCommand, commandIds.runFile);
    assert.equal(recordCommand, commandIds.recordScenario);
  });

  it('registers commands in one place, each of which does something', () => {
    const registering = sources.filter(([, text]) => text.includes('registerCommand('));
    assert.deepEqual(
      registering.map(([file]) => file),
      ['extension.ts'],
    );
    const commands = sources.find(([file]) => file === 'commands.ts')?.[1] ?? '';
    for (const name of Object.keys(commandIds))
      assert.match(commands, new RegExp(`\\[commandIds\\.${name}\\]: `));
  });

  it('documents every command that people can start, and no other', () => {
    const shown = contributes.commands
      .filter(({ command }) => !hiddenCommands().includes(command) || command === commandIds.fixTest)
      .map(({ category, title }) => `${category}: ${title}`);
    const documented = [...settingsPage.matchAll(/^\| \*(Testmend: [^*]+)\* \|/gm)].map(([, name]) => name);
    assert.deepEqual(documented, [...new Set(shown)]);
  });

  it('shows menus under conditions that exist', () => {
    /** Context keys of VS Code itself, and the words that conditions are made of. */
    const known = [
      'workspaceFolderCount',
      'resourceScheme',
      'resourceExtname',
      'explorerResourceIsFolder',
      'view',
      'controllerId',
      'false',
    ];
    const own = sources.flatMap(([, text]) =>
      text.includes("'setContext', cycleRunningKey") ? [cycleRunningKey] : [],
    );
    const keys = Object.values(contributes.menus)
      .flat()
      .flatMap(({ when }) => when.split(/\s*(?:&&|\|\|)\s*/))
      .map((part) => /^!?([\w.]+)/.exec(part)?.[1] ?? part);
    assert.deepEqual(
      keys.filter((key) => ![...known, ...own].includes(key)),
      [],
    );
  });

  it('reads every setting somewhere, and documents it with its default', () => {
    const asked = new Set(
      sources.flatMap(([, text]) =>
        [...text.matchAll(/\b(?:setting|read)\('([\w.]+)'/g)].map(([, key]) => key ?? ''),
      ),
    );
    assert.deepEqual([...asked].sort(), Object.keys(settingDefaults).sort());
    const rows = [...settingsPage.matchAll(/^\| `testmend\.([\w.]+)` \| `([^`]*)` \| \S/gm)];
    assert.deepEqual(
      rows.map(([, key, value]) => [key, value]),
      Object.entries(settingDefaults).map(([key, value]) => [key, JSON.stringify(value)]),
    );
  });

  it('offers exactly the frameworks that it runs', () => {
    const items = contributes.configuration.properties['testmend.frameworks']?.items?.enum ?? [];
    const ids = frameworks.map(({ id }) => id);
    assert.deepEqual(items.toSorted(), ids.toSorted());
    const row = /^\| `testmend\.frameworks` .*$/m.exec(settingsPage)?.[0] ?? '';
    assert.deepEqual([...row.matchAll(/`([a-z]\w*)`/g)].map(([, id]) => id ?? '').sort(), ids.toSorted());
  });

  it('takes an invalid value for the default or for the nearest that is allowed', () => {
    for (const [name, property] of Object.entries(contributes.configuration.properties)) {
      const key = Object.keys(settingDefaults).find(isKeyOf(name));
      assert.ok(key !== undefined && isSettingKey(key), name);
      for (const wrong of [null, undefined, {}, [1], 'nonsense \u0000', -1, 0, 1e12, Number.NaN, true]) {
        const value: unknown = settingValue(key, wrong);
        const shown = `${name}: ${JSON.stringify(wrong)} became ${JSON.stringify(value)}`;
        assert.equal(
          Array.isArray(value) ? 'array' : typeof value,
          property.type.replace('integer', 'number'),
          shown,
        );
        if (property.enum)
          assert.ok(
            property.enum.some((choice) => choice === value),
            shown,
          );
        if (typeof value !== 'number') continue;
        assert.ok(value >= (property.minimum ?? 0) && value <= (property.maximum ?? Infinity), shown);
        if (property.exclusiveMinimum !== undefined) assert.ok(value > property.exclusiveMinimum, shown);
        if (property.type === 'integer') assert.ok(Number.isSafeInteger(value), shown);
      }
    }
  });

  it('declares exactly the settings that the code reads, with the same defaults and choices', () => {
    const { properties } = contributes.configuration;
    assert.deepEqual(
      Object.keys(properties).sort(),
      Object.keys(settingDefaults)
        .map((key) => `testmend.${key}`)
        .sort(),
    );
    for (const [key, value] of Object.entries(settingDefaults)) {
      const property = properties[`testmend.${key}`];
      assert.deepEqual(property?.default, value, key);
    }
    for (const [key, choices] of Object.entries(settingChoices)) {
      const property = properties[`testmend.${key}`];
      assert.deepEqual(property?.enum, choices, key);
    }
  });

  it('takes from an untrusted workspace no setting that decides what is started or changed', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const key of [
      'testmend.nodePath',
      'testmend.fix.apply',
      'testmend.fix.assume',
      'testmend.fix.provider',
      'testmend.fix.model.url',
      'testmend.fix.agent.command',
      'testmend.fix.agent.jail',
      'testmend.fix.agent.reads',
      'testmend.fix.agent.writes',
    ])
      assert.ok(restrictedConfigurations.includes(key), key);
    const known = Object.keys(contributes.configuration.properties);
    assert.deepEqual(
      restrictedConfigurations.filter((key) => !known.includes(key)),
      [],
    );
  });

  it('writes context keys, ids and schemes the same in menus and code', () => {
    const conditions = Object.values(contributes.menus).flatMap((items) => items.map(({ when }) => when));
    const words = new Set(conditions.flatMap((when) => when.match(/[\w.-]+/g) ?? []));
    for (const word of [cycleRunningKey, controllerId, proposedScheme]) assert.ok(words.has(word), word);
    for (const type of [panelViewType, recordingViewType])
      assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${type}`));
    assert.ok(manifest.activationEvents.includes('onStartupFinished'));
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      [serverProviderId],
    );
  });

  it('declares the tools of the chat as those of the MCP server are', () => {
    const written: unknown = JSON.parse(JSON.stringify(contributedTools()));
    assert.deepEqual(contributes.languageModelTools, written, 'npm run docs:tools writes them');
  });

  it('ships the files it names', () => {
    assert.ok(existsSync(path.join(root, manifest.icon)));
    for (const grammar of contributes.grammars) {
      assert.ok(grammar.language === logLanguageId || grammar.injectTo !== undefined);
      const text = readFileSync(path.join(root, grammar.path), 'utf8');
      assert.equal(z.object({ scopeName: z.string() }).parse(JSON.parse(text)).scopeName, grammar.scopeName);
    }
    assert.ok(contributes.languages.some(({ id }) => id === logLanguageId));
  });
});
