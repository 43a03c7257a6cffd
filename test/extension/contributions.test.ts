// Holds package.json's contributions against the constants that the code uses, both ways.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  commandIds,
  controllerId,
  cycleRunningKey,
  logLanguageId,
  panelViewType,
  proposedScheme,
  settingChoices,
  settingDefaults,
} from '../../src/extension/contributions.ts';
import { codeActionCommands } from '../../src/server/messages.ts';

const root = path.resolve(import.meta.dirname, '../..');
const propertySchema = z.object({
  type: z.string(),
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
      languages: z.array(z.object({ id: z.string() })),
      grammars: z.array(z.object({ language: z.string(), scopeName: z.string(), path: z.string() })),
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
    const hidden = (contributes.menus['commandPalette'] ?? [])
      .filter(({ when }) => when === 'false')
      .map(({ command }) => command);
    assert.deepEqual(hidden.sort(), [commandIds.fixTest, commandIds.isBug, commandIds.tryFix].sort());
  });

  it('handles the commands that code actions carry', () => {
    assert.equal(codeActionCommands.tryFix, commandIds.tryFix);
    assert.equal(codeActionCommands.isBug, commandIds.isBug);
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
    for (const key of ['testmend.nodePath', 'testmend.fix.apply', 'testmend.fix.assume'])
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
    assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${panelViewType}`));
    assert.ok(manifest.activationEvents.includes('onStartupFinished'));
  });

  it('ships the files it names', () => {
    assert.ok(existsSync(path.join(root, manifest.icon)));
    for (const grammar of contributes.grammars) {
      assert.equal(grammar.language, logLanguageId);
      const text = readFileSync(path.join(root, grammar.path), 'utf8');
      assert.equal(z.object({ scopeName: z.string() }).parse(JSON.parse(text)).scopeName, grammar.scopeName);
    }
    assert.ok(contributes.languages.some(({ id }) => id === logLanguageId));
  });
});
