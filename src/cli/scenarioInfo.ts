// The command `testmend scenario` in the command table.
import type { CommandInfo } from './commandInfo.ts';

export const scenarioInfo: CommandInfo = {
  name: 'scenario',
  usage: 'testmend scenario run|record|import|export|healings [FILE…]',
  about:
    'Browser and API scenarios: run them (files, folders, or a part of their names or tags), record one in a browser, make one of a Playwright test, or a Playwright test of one. What cannot be carried over is listed. Healed locators wait for a decision.',
  takesFiles: true,
  options: [
    { name: 'environment', kind: 'text', value: 'E', about: 'run: environment of scenario.config.yaml' },
    {
      name: 'native-filter',
      kind: 'text',
      value: 'S',
      noDash: 'A filter cannot start with a dash.',
      about: 'run: words that must all hold: @tag, !@tag, priority:high, a part of the name',
    },
    {
      name: 'auto-approve',
      kind: 'flag',
      about: 'run: write healed locators above their threshold into scenarios that are green',
    },
    { name: 'headed', kind: 'flag', about: 'run: show the browser' },
    {
      name: 'browser',
      kind: 'choice',
      value: 'B',
      choices: ['chromium', 'firefox', 'webkit'],
      about: 'run: chromium (the one of this machine), firefox or webkit (those of Playwright)',
    },
    {
      name: 'untrusted',
      kind: 'flag',
      about: 'run: the scenarios are not yours: no files, no address of this machine or its network',
    },
    { name: 'repeat', kind: 'count', value: 'N', about: 'run: run N times and report the flaky ones' },
    {
      name: 'reporter',
      kind: 'text',
      value: 'R[=FILE]',
      repeatable: true,
      about: 'run: as for testmend run',
    },
    {
      name: 'out',
      kind: 'text',
      value: 'F',
      about: 'import, export: write it to F instead of stdout; of several tests in one file a folder',
    },
    { name: 'force', kind: 'flag', about: 'import, export: write over a file that exists' },
    { name: 'approve', kind: 'text', value: 'ID', about: 'healings: write this one into its scenario' },
    { name: 'reject', kind: 'text', value: 'ID', about: 'healings: never heal that way again' },
    {
      name: 'propagate',
      kind: 'flag',
      about: 'healings, with --approve: in every scenario with a locator of the same displayName',
    },
  ],
  exitCodes:
    '0 done, or all passed · 1 failures, or something could not be carried over · 2 usage error or none ran · 124 time limit · 130 cancelled',
  load: async () => (await import('./scenario.ts')).scenarioCommand,
};
