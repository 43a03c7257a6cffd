'use strict';
// Language models of VS Code that a test plays: one answers what a file holds, one is blocked, one is silent until it is cancelled.
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** Where the test leaves `answer`, and finds `asked` and `cancelled`. */
const folder = process.env.TESTMEND_STAND_IN;
const told = (name, text) => fs.writeFileSync(path.join(folder, name), text);

const model = (id, name) => ({
  id,
  name,
  family: `${id}-family`,
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: {},
});

const answers = {
  good: async (messages, progress) => {
    told('asked', JSON.stringify(messages.map(({ content }) => content.map(({ value }) => value).join(''))));
    const answer = fs.readFileSync(path.join(folder, 'answer'), 'utf8');
    for (let at = 0; at < answer.length; at += 20)
      progress.report(new vscode.LanguageModelTextPart(answer.slice(at, at + 20)));
  },
  blocked: () => {
    throw vscode.LanguageModelError.Blocked('The quota of today is used up.');
  },
  silent: (_messages, _progress, token) => {
    told('asked', 'silent');
    return new Promise((resolve) =>
      token.onCancellationRequested(() => {
        told('cancelled', 'silent');
        resolve();
      }),
    );
  },
};

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('stand-in', {
      provideLanguageModelChatInformation: async () => [
        model('good', 'Stand-in Good'),
        model('blocked', 'Stand-in Blocked'),
        model('silent', 'Stand-in Silent'),
      ],
      provideLanguageModelChatResponse: async ({ id }, messages, _options, progress, token) =>
        answers[id](messages, progress, token),
      // Every word is a token here.
      provideTokenCount: async (_model, text) =>
        (typeof text === 'string' ? text : text.content.map(({ value }) => value).join('')).split(/\s+/)
          .length,
    }),
  );
};
