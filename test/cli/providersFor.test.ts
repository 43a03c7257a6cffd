// Which fixers `testmend fix` asks, and the errors of those who name a model or an agent wrongly.
import assert from 'node:assert/strict';
import { fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../../src/core/base/humanError.ts';
import { askedProviders } from '../../src/core/fixes/providers.ts';
import { parseCommandLine } from '../../src/cli/commandLine.ts';
import { providersFor } from '../../src/cli/providersFor.ts';

const url = 'http://127.0.0.1:11434/v1';

describe('the fixers that are asked', () => {
  const saved = { ...process.env };
  beforeEach(() => {
    delete process.env['TESTMEND_MODEL_URL'];
    delete process.env['TESTMEND_MODEL_KEY'];
  });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'testmend-key-'));
  const keyFile = path.join(folder, 'key');
  writeFileSync(keyFile, 'very-secret\n');
  after(() => {
    process.env = saved;
    rmSync(folder, { recursive: true, force: true });
  });

  const idsOf = (...args: string[]): readonly string[] =>
    providersFor(parseCommandLine(['fix', ...args]).options, '/tmp/none').map(({ id }) => id);
  const refuses = (args: readonly string[], message: RegExp): void => {
    assert.throws(
      () => idsOf(...args),
      (error: unknown) => {
        assert.ok(error instanceof HumanError);
        assert.equal(error.code, 'usage');
        assert.match(`${error.message} ${error.details.remedy}`, message);
        assert.doesNotMatch(JSON.stringify(error), /very-secret/);
        return true;
      },
    );
  };

  it('are ours, and after them those who are named', () => {
    const ours = askedProviders().map(({ id }) => id);
    assert.deepEqual(idsOf(), ours);
    assert.deepEqual(idsOf('--model', 'qwen', '--model-url', url, '--agent', 'claude'), [
      ...ours,
      'model',
      'agent',
    ]);
    assert.deepEqual(idsOf('--provider', 'agent', '--agent', 'claude', '--provider', 'imports'), [
      'agent',
      'imports',
    ]);
  });

  it('are those of the nursery only where they are named', () => {
    assert.ok(!idsOf().includes('mock-state'));
    assert.ok(idsOf('--nursery', 'mock-state').includes('mock-state'));
    assert.deepEqual(idsOf('--provider', 'imports', '--nursery', 'waiting'), ['imports', 'waiting']);
    assert.deepEqual(idsOf('--provider', 'test-leaks'), ['test-leaks']);
    // One that is on for everybody may stay named.
    assert.deepEqual(idsOf('--nursery', 'imports'), idsOf());
  });

  it('say which are there, and which no longer are', () => {
    refuses(['--nursery', 'nobody'], /no fix provider "nobody".*waiting/);
    refuses(['--nursery', 'predicate'], /"predicate" was removed in 0\.3\. Remove it from --nursery/);
    refuses(['--provider', 'runner-api'], /"runner-api" was removed in 0\.3\. Remove it from --provider/);
  });

  it('take the address of the model from the environment, too', () => {
    process.env['TESTMEND_MODEL_URL'] = url;
    assert.equal(idsOf('--model', 'qwen').at(-1), 'model');
  });

  it('say what is missing', () => {
    refuses(['--model', 'qwen'], /needs the address of an endpoint.*11434/);
    refuses(['--model-url', url], /needs the name of a model/);
    refuses(['--agent-timeout', '5'], /needs an agent/);
    refuses(['--agent-writes', '/x'], /--agent-writes needs an agent/);
    refuses(['--provider', 'model'], /--provider model needs the model\..*--model/);
    refuses(['--provider', 'nobody'], /no fix provider "nobody"/);
    refuses(['--agent', 'my-agent'], /does not contain \{task\}/);
  });

  it('take no address with a password, no other protocol, and send no key unencrypted to another machine', () => {
    refuses(['--model', 'q', '--model-url', 'https://me:very-secret@example.org/v1'], /without a user/);
    refuses(['--model', 'q', '--model-url', 'file:///etc/passwd'], /must be an http or https URL/);
    refuses(['--model', 'q', '--model-url', 'example.org'], /must be an http or https URL/);
    const key = ['--model-key-file', keyFile];
    refuses(['--model', 'q', '--model-url', 'http://example.org/v1', ...key], /without encryption/);
    for (const own of [url, 'http://localhost:1/v1', 'http://[::1]:1/v1', 'https://example.org/v1'])
      assert.equal(idsOf('--model', 'q', '--model-url', own, ...key).at(-1), 'model');
  });

  it('take no key from the environment, nor from a file that holds none, and say how it is given', () => {
    const model = ['--model', 'q', '--model-url', url];
    refuses([...model, '--model-key-file', path.join(folder, 'none')], /cannot be read.*--model-key-file F/);
    writeFileSync(path.join(folder, 'two'), 'very-secret and more\n');
    refuses([...model, '--model-key-file', path.join(folder, 'two')], /does not hold a key.*one word/);
    refuses(['--model-key-file', keyFile], /--model-key-file needs the name of a model/);
    process.env['TESTMEND_MODEL_KEY'] = 'very-secret';
    for (const args of [model, [...model, '--model-key-file', keyFile]])
      refuses(
        args,
        /is in the environment variable TESTMEND_MODEL_KEY, where tests.*Unset.*--model-key-file F/,
      );
    assert.deepEqual(
      idsOf(),
      askedProviders().map(({ id }) => id),
      'who asks no model is not bothered',
    );
  });

  it('read a key from a descriptor once, and close it', () => {
    const descriptor = openSync(keyFile, 'r');
    const place = `/dev/fd/${descriptor}`;
    assert.equal(idsOf('--model', 'q', '--model-url', url, '--model-key-file', place).at(-1), 'model');
    assert.throws(() => fstatSync(descriptor), { code: 'EBADF' });
  });
});
