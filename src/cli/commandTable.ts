// The commands and their options as data: what is parsed, what help prints, and which file does the work.
import { frameworkIds } from '../core/model/testNode.ts';
import { layerOption, sandbox, type CommandInfo, type OptionInfo } from './commandInfo.ts';
import { mcpClients } from './mcpConfig.ts';
import { scenarioInfo } from './scenarioInfo.ts';

export const commonOptions: readonly OptionInfo[] = [
  { name: 'root', kind: 'text', value: 'D', about: 'workspace to work on (default: the current folder)' },
  {
    name: 'framework',
    kind: 'choice',
    value: 'ID',
    choices: frameworkIds,
    repeatable: true,
    about: 'use only this framework; docs/frameworks.md lists the IDs',
  },
  { name: 'json', kind: 'flag', about: 'print one JSON document on stdout, and progress on stderr' },
  { name: 'timeout', kind: 'seconds', value: 'S', about: 'time limit in seconds (default for one run: 300)' },
  {
    name: 'skill-timeout',
    kind: 'seconds',
    value: 'S',
    about: 'time limit of one skill file in seconds (30)',
  },
  { name: 'max-parallel', kind: 'count', value: 'N', about: 'maximum number of test processes at once' },
  { name: 'no-color', kind: 'flag', about: 'print no colours; NO_COLOR does the same' },
  { name: 'help', kind: 'flag', about: 'show this text' },
];

export const commands: readonly CommandInfo[] = [
  {
    name: 'discover',
    usage: 'testmend discover',
    about: 'List the tests of the workspace without running any of its code.',
    takesFiles: false,
    options: [],
    exitCodes: '0 tests found · 2 usage error, broken project, or no tests',
    load: async () => (await import('./discover.ts')).discoverCommand,
  },
  {
    name: 'run',
    usage: 'testmend run [file[:line]…]',
    about: 'Run tests in isolated processes and report the results.',
    takesFiles: true,
    options: [
      {
        name: 'filter',
        kind: 'text',
        value: 'S',
        noDash: 'A filter cannot start with a dash: leave the dash out, any part of the title is enough.',
        about: 'only tests whose full title contains S (any case)',
      },
      {
        name: 'native-filter',
        kind: 'text',
        value: 'S',
        noDash: 'A filter cannot start with a dash: runners would read it as one of their options.',
        about: "only tests matching S in the framework's own syntax",
      },
      {
        name: 'affected',
        kind: 'flag',
        about: 'only tests that the changes since the commit before HEAD can affect',
      },
      { name: 'coverage', kind: 'flag', about: 'measure which lines, branches and functions the tests run' },
      layerOption,
      {
        name: 'allow-quarantined',
        kind: 'flag',
        about: 'failures of quarantined tests do not set the exit code',
      },
      { name: 'repeat', kind: 'count', value: 'N', about: 'run N times and report the flaky tests' },
      {
        name: 'reporter',
        kind: 'text',
        value: 'R[=FILE]',
        repeatable: true,
        about:
          'terminal, html, json, junit, ctrf, tap, markdown, lcov or cobertura; files go to .testmend/ unless named',
      },
    ],
    exitCodes: '0 all passed · 1 failures · 2 usage error or no test ran · 124 time limit · 130 cancelled',
    load: async () => (await import('./run.ts')).runCommand,
  },
  {
    name: 'fix',
    usage: 'testmend fix [file…]',
    about: 'Mend failing tests: every fix is proven in a sandbox copy before it may touch a file.',
    takesFiles: true,
    options: [
      {
        name: 'strategy',
        kind: 'choice',
        value: 'S',
        choices: ['auto', 'conservative', 'aggressive', 'surgical'],
        about: 'auto, conservative, aggressive or surgical',
      },
      {
        name: 'preset',
        kind: 'choice',
        value: 'P',
        choices: ['tester', 'qa'],
        about: 'tester or qa: sets limits and how far the source is trusted',
      },
      {
        name: 'assume',
        kind: 'choice',
        value: 'A',
        choices: ['ask', 'source-is-right'],
        about: 'source-is-right accepts changed expectations (never NaN, undefined, …)',
      },
      layerOption,
      { name: 'coverage', kind: 'flag', about: 'also measure coverage (qa does)' },
      sandbox,
      { name: 'max-iterations', kind: 'count', value: 'N', about: 'at most N rounds (10; 5 for qa)' },
      { name: 'target', kind: 'percent', value: 'P', about: 'pass rate to reach (95)' },
      {
        name: 'apply',
        kind: 'flag',
        about:
          'write verified fixes that do not change the meaning of a test; with ids in the place of files, fixes proven before',
      },
      { name: 'dry-run', kind: 'flag', about: 'never ask and never write' },
      { name: 'resume', kind: 'flag', about: 'resume the killed fix cycle of this folder' },
      { name: 'discard', kind: 'flag', about: 'discard the killed fix cycle, and start a new one' },
      { name: 'patch', kind: 'text', value: 'F', about: 'write all verified fixes as a unified diff to F' },
      {
        name: 'hand-over',
        kind: 'text',
        value: 'F',
        about: 'write everything known about the remaining failures as Markdown to F',
      },
      {
        name: 'reporter',
        kind: 'text',
        value: 'R[=FILE]',
        repeatable: true,
        about: 'terminal, markdown, junit, json or github; files go to .testmend/ as fix.* unless named',
      },
      {
        name: 'events',
        kind: 'text',
        value: 'ndjson[=FILE]',
        about: 'write the events of the cycle, one JSON object per line, to stdout or FILE (docs/events.md)',
      },
      {
        name: 'session',
        kind: 'text',
        value: 'DIR',
        about: 'do the tasks of a session, and write results and messages there (docs/sessions.md)',
      },
      { name: 'task', kind: 'text', value: 'ID', about: 'only this task of the session, such as TEST-001' },
      {
        name: 'message-command',
        kind: 'text',
        value: 'CMD',
        about: 'also pass each message to this command, such as "ccw team log --team T"',
      },
      { name: 'provider', kind: 'text', value: 'ID', repeatable: true, about: 'only fixes of this provider' },
      {
        name: 'nursery',
        kind: 'text',
        value: 'ID',
        repeatable: true,
        about: 'also use this fixer, which is off unless named (docs/fixers.md)',
      },
      {
        name: 'model',
        kind: 'text',
        value: 'NAME',
        about: 'ask this model when no fixer finds an edit',
      },
      {
        name: 'model-url',
        kind: 'text',
        value: 'URL',
        about: 'the OpenAI-compatible endpoint of the model, such as http://127.0.0.1:11434/v1',
      },
      {
        name: 'model-key-file',
        kind: 'text',
        value: 'F',
        about: 'file or descriptor with the key of the endpoint, such as <(pass show model)',
      },
      {
        name: 'agent',
        kind: 'text',
        value: '"CMD"',
        about:
          'let a coding agent edit a copy when no fixer finds an edit: claude, codex, aider …, or a command with {task}',
      },
      {
        name: 'agent-timeout',
        kind: 'seconds',
        value: 'S',
        about: 'time limit of the agent for one file (300)',
      },
      {
        name: 'agent-jail',
        kind: 'choice',
        value: 'J',
        choices: ['auto', 'required', 'off'],
        about:
          'auto: in a jail where the system has one; required: only in a jail; off: with your permissions',
      },
      {
        name: 'agent-reads',
        kind: 'text',
        value: 'PATH',
        repeatable: true,
        about: 'file or folder that the agent may read in its jail, besides the copy of the repository',
      },
      {
        name: 'agent-writes',
        kind: 'text',
        value: 'PATH',
        repeatable: true,
        about: 'file or folder that it may also write; its changes there stay',
      },
      {
        name: 'max-time',
        kind: 'seconds',
        value: 'S',
        about: 'end after S seconds with the best state reached',
      },
      {
        name: 'max-processes',
        kind: 'amount',
        value: 'N',
        about: 'end after N test processes with the best state reached',
      },
      { name: 'max-tokens', kind: 'amount', value: 'N', about: 'stop asking the model after N tokens' },
      {
        name: 'max-cost',
        kind: 'amount',
        value: 'C',
        about: 'stop asking once the endpoint reports a cost of C',
      },
    ],
    exitCodes:
      '0 the workspace is green · 1 failures remain on disk · 2 usage error or no test ran · 124 · 130',
    load: async () => (await import('./fix.ts')).fixCommand,
  },
  {
    name: 'verify',
    usage: 'testmend verify --patch F',
    about: 'Judge any patch of test files by the fix policy and in the sandbox. Changes nothing.',
    takesFiles: false,
    options: [
      { name: 'patch', kind: 'text', value: 'F', about: 'unified diff to judge; - reads it from stdin' },
      {
        name: 'strength',
        kind: 'choice',
        value: 'S',
        choices: ['off', 'quick', 'thorough'],
        about: 'how long the tests are asked which planted bugs they still notice (quick)',
      },
      sandbox,
    ],
    exitCodes: '0 verified · 1 rejected · 2 unverifiable or usage error · 124 · 130',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  {
    name: 'strength',
    usage: 'testmend strength [file…]',
    about:
      'Plant small bugs in a sandbox copy of the sources and tell which of them your tests do not notice. Changes nothing.',
    takesFiles: true,
    options: [
      {
        name: 'seconds',
        kind: 'seconds',
        value: 'S',
        about: 'time for the repeated tests (60)',
      },
    ],
    exitCodes: '0 measured · 1 no test can be repeated · 2 usage error, or no tests · 124 · 130',
    load: async () => (await import('./strength.ts')).strengthCommand,
  },
  {
    name: 'generate',
    usage: 'testmend generate SOURCE',
    about:
      'Make a first test for a source file that has none: it is tried in a sandbox copy, shown, and written only on request.',
    takesFiles: true,
    options: [
      { name: 'write', kind: 'flag', about: 'write it without asking, if it runs; never overwrites a file' },
      { name: 'dry-run', kind: 'flag', about: 'never ask and never write: print it' },
    ],
    exitCodes: '0 it runs · 1 it does not run · 2 usage error, or no test can be made · 124 · 130',
    load: async () => (await import('./generate.ts')).generateCommand,
  },
  {
    name: 'skills',
    usage: 'testmend skills [list|run|smoke|new] [NAME…]',
    about:
      'Skills and their tests: list them all, run tests, smoke-test (check the descriptor and whether the tests file loads), or make a new tests file for a skill that has none.',
    takesFiles: true,
    options: [
      { name: 'write', kind: 'flag', about: 'new: write the file without asking; never overwrites a file' },
      { name: 'dry-run', kind: 'flag', about: 'new: never ask and never write: print it' },
    ],
    exitCodes:
      '0 done, all passed, or sound · 1 failures, or a skill is not sound · 2 usage error, or no skill or test · 124 · 130',
    load: async () => (await import('./skills.ts')).skillsCommand,
  },
  scenarioInfo,
  {
    name: 'report',
    usage: 'testmend report',
    about: 'Tell the last run again, in another format, or what the history says. Runs nothing.',
    takesFiles: false,
    options: [
      {
        name: 'format',
        kind: 'choice',
        value: 'R',
        choices: ['markdown', 'html', 'json', 'junit', 'ctrf', 'tap', 'allure'],
        about:
          'markdown (the default), html: one page, json, junit, ctrf, tap, or allure: a folder of results',
      },
      { name: 'run', kind: 'text', value: 'ID', about: 'that run instead of the last one' },
      {
        name: 'out',
        kind: 'text',
        value: 'F',
        about: 'write it to F instead of stdout or .testmend/report.html; of allure a new folder',
      },
      { name: 'open', kind: 'flag', about: 'write the html page, and open it in the browser' },
      { name: 'flaky', kind: 'flag', about: 'the flaky, broken and slower tests of the history instead' },
      { name: 'plan', kind: 'flag', about: 'what to do about them instead, with the evidence' },
    ],
    exitCodes: '0 told · 2 usage error, or no run is known',
    load: async () => (await import('./report.ts')).reportCommand,
  },
  {
    name: 'doctor',
    usage: 'testmend doctor',
    about: 'Tell what is found, what is missing, and what mends it. Runs none of your code.',
    takesFiles: false,
    options: [],
    exitCodes: '0 tests can run · 1 something is missing · 2 usage error',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'messages',
    usage: 'testmend messages OPERATION [ID]',
    about:
      'The message log of a session that several programs share: log, list, read, status, delete, clear, broadcast, get_state.',
    takesFiles: true,
    options: [
      {
        name: 'session',
        kind: 'text',
        value: 'DIR',
        about: 'folder of the session, such as .workflow/.team/S1',
      },
      { name: 'from', kind: 'text', value: 'NAME', about: 'sender' },
      { name: 'to', kind: 'text', value: 'NAME', about: 'receiver (default: coordinator)' },
      {
        name: 'type',
        kind: 'text',
        value: 'TYPE',
        about: 'such as test_result, impl_progress, fix_required, error',
      },
      { name: 'summary', kind: 'text', value: 'TEXT', about: 'one line' },
      { name: 'data', kind: 'text', value: 'JSON', about: 'a JSON object' },
      {
        name: 'last',
        kind: 'count',
        value: 'N',
        most: 100,
        about: 'list the newest N (default 20, at most 100)',
      },
    ],
    exitCodes: '0 done · 2 usage error, or there is no such message',
    load: async () => (await import('./messages.ts')).messagesCommand,
  },
  {
    name: 'replay',
    usage: 'testmend replay',
    about:
      'Run the old tests of past commits against their new source, and compare the fixes of Testmend with those of the authors. Changes nothing.',
    takesFiles: false,
    options: [
      { name: 'commits', kind: 'count', value: 'N', about: 'the last N commits (100)' },
      { name: 'since', kind: 'text', value: 'REF', about: 'the commits since REF' },
      { name: 'commit', kind: 'text', value: 'SHA', repeatable: true, about: 'this commit' },
      {
        name: 'install',
        kind: 'text',
        value: '"CMD"',
        about:
          'command that installs packages, run once for each lockfile ("npm ci", "python3 -m venv .venv && pip install -e . pytest"); without it, those of the workspace are used',
      },
      { name: 'html', kind: 'text', value: 'FILE', about: 'also write a page to FILE' },
      {
        name: 'mutants',
        kind: 'flag',
        about: 'also put bugs into the changed source, and count how many the mended tests detect',
      },
      { name: 'commit-timeout', kind: 'seconds', value: 'S', about: 'time limit of one commit (600)' },
      { name: 'install-timeout', kind: 'seconds', value: 'S', about: 'time limit of one installation (600)' },
    ],
    exitCodes:
      '0 done · 1 an automatic fix was wrong · 2 usage error, or nothing could be replayed · 124 · 130',
    load: async () => (await import('./replay.ts')).replayCommand,
  },
  {
    name: 'mcp',
    usage: 'testmend mcp [FOLDER…]',
    about:
      'Serve coding agents over the Model Context Protocol on stdin and stdout or HTTP, for these folders alone (docs/mcp.md).',
    takesFiles: true,
    stays: true,
    options: [
      { name: 'untrusted', kind: 'flag', about: 'list tests, and run nothing' },
      {
        name: 'http',
        kind: 'count',
        value: '[PORT]',
        usually: '7357',
        most: 65_535,
        about: 'serve over HTTP on 127.0.0.1 (7357), and print address and token',
      },
      {
        name: 'print-config',
        kind: 'choice',
        value: 'CLIENT',
        choices: mcpClients,
        about: 'print what vscode, claude, cursor, codex or gemini has to be told, and end',
      },
      {
        name: 'hook',
        kind: 'flag',
        about: 'run the affected tests within --timeout (30 s), tell what failed on stderr, and end',
      },
    ],
    exitCodes: '0 the client has gone · 2 usage error, or with --hook: affected tests fail · 124 · 130',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
];
