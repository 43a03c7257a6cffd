// The "Testmend" output channel: plain lines with a time and a level, coloured by the testmend-log grammar.
import * as vscode from 'vscode';
import { redactSecrets } from '../core/base/redactSecrets.ts';
import { logLanguageId } from './contributions.ts';

/** A channel of the log kind over one with a language of its own; lines after its end are dropped. */
export function createLog(): vscode.LogOutputChannel {
  const channel = vscode.window.createOutputChannel('Testmend', logLanguageId);
  const levelChanged = new vscode.EventEmitter<vscode.LogLevel>();
  let ended = false;
  const write =
    (level: string) =>
    (message: string | Error, ...rest: unknown[]): void => {
      if (ended) return;
      const text = message instanceof Error ? (message.stack ?? message.message) : message;
      const more = rest.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
      const time = new Date().toISOString().slice(11, 23);
      for (const line of redactSecrets([text, ...more].join(' '))
        .trimEnd()
        .split(/\r?\n/))
        channel.appendLine(`${time} [${level}] ${line}`);
    };
  function show(preserveFocus?: boolean): void;
  function show(column?: vscode.ViewColumn, preserveFocus?: boolean): void;
  function show(first?: vscode.ViewColumn | boolean, preserveFocus?: boolean): void {
    channel.show(typeof first === 'boolean' ? first : preserveFocus);
  }
  return {
    name: channel.name,
    logLevel: vscode.LogLevel.Info,
    onDidChangeLogLevel: levelChanged.event,
    trace: write('trace'),
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    append: write('info'),
    appendLine: write('info'),
    replace: (value) => channel.replace(value),
    clear: () => channel.clear(),
    show,
    hide: () => channel.hide(),
    dispose: () => {
      ended = true;
      levelChanged.dispose();
      channel.dispose();
    },
  };
}
