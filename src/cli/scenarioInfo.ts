// The command `testmend scenario` in the command table.
import type { CommandInfo } from './commandInfo.ts';

export const scenarioInfo: CommandInfo = {
  name: 'scenario',
  usage: 'testmend scenario import|export FILE',
  about:
    'Browser scenarios: make one of a Playwright test, or a Playwright test of one. What cannot be carried over is listed.',
  takesFiles: true,
  options: [
    {
      name: 'out',
      kind: 'text',
      value: 'F',
      about: 'write it to F instead of stdout; of several tests in one file a folder',
    },
    { name: 'force', kind: 'flag', about: 'write over a file that exists' },
  ],
  exitCodes: '0 done · 1 something could not be carried over · 2 usage error · 130',
  load: async () => (await import('./scenario.ts')).scenarioCommand,
};
