import assert from 'node:assert/strict';
import type { InitializeParams } from 'vscode-languageserver/node';
import { readConfiguration } from '../../src/server/configuration.ts';

const read = (initializationOptions?: unknown): ReturnType<typeof readConfiguration> => {
  const params: InitializeParams = {
    processId: null,
    rootUri: null,
    capabilities: {},
    workspaceFolders: [{ uri: 'file:///shop', name: 'shop' }],
    initializationOptions,
  };
  return readConfiguration(params);
};

describe('what the engine starts with', () => {
  it('trusts the folders of an editor that says nothing about trust', () => {
    assert.equal(read().trusted, true);
    assert.equal(read({ timeoutSeconds: 5 }).trusted, true);
    assert.equal(read({ timeoutSeconds: 5 }).roots[0]?.timeoutSeconds, 5);
  });

  it('never trusts where trust was refused, whatever else is wrong with the settings', () => {
    for (const given of [
      { trusted: false },
      { trusted: false, timeoutSeconds: -1 },
      { trusted: false, roots: 'none' },
      { trusted: 'no' },
      { trusted: 0 },
      { trusted: null },
      'nonsense',
    ])
      assert.equal(read(given).trusted, false, JSON.stringify(given));
  });

  it('takes the defaults when a setting is invalid', () => {
    assert.equal(read({ timeoutSeconds: -1 }).roots[0]?.timeoutSeconds, 300);
  });
});
