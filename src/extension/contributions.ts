// Every id that package.json's `contributes` and the code share; a test holds one against the other.
import { historyRuns } from '../core/model/historyRuns.ts';
import type { AgentJail } from '../core/model/outside.ts';
import type { LayerGlobs } from '../core/model/settings.ts';

export const commandIds = {
  fixFailingTests: 'testmend.fixFailingTests',
  fixTest: 'testmend.fixTest',
  stop: 'testmend.stop',
  /** Also one of an earlier window, or whose panel was closed. */
  showCycle: 'testmend.showCycle',
  openRecording: 'testmend.openRecording',
  showLog: 'testmend.showLog',
  runAffected: 'testmend.runAffected',
  runLayer: 'testmend.runLayer',
  repeatTests: 'testmend.repeatTests',
  updateSnapshots: 'testmend.updateSnapshots',
  runSkillTests: 'testmend.runSkillTests',
  smokeTestSkill: 'testmend.smokeTestSkill',
  newSkillTest: 'testmend.newSkillTest',
  newTest: 'testmend.newTest',
  recordScenario: 'testmend.recordScenario',
  refreshTests: 'testmend.refreshTests',
  restartEngine: 'testmend.restartEngine',
  setModelKey: 'testmend.setModelKey',
  forgetModels: 'testmend.forgetModels',
  applyFix: 'testmend.applyFix',
  discardFix: 'testmend.discardFix',
  /** Carried by code actions, not in the palette. */
  tryFix: 'testmend.tryFix',
  isBug: 'testmend.isBug',
  /** Carried by the lens above a scenario. */
  runFile: 'testmend.runFile',
} as const;

/** Settings below `testmend.`, with their types and defaults. */
export interface Settings {
  readonly enable: boolean;
  readonly frameworks: readonly string[];
  readonly maxParallel: number;
  readonly timeout: number;
  readonly skillTimeout: number;
  readonly nodePath: string;
  readonly pythonPath: string;
  readonly continuous: 'affected' | 'file';
  readonly layers: LayerGlobs;
  readonly coverage: readonly string[];
  readonly 'fix.apply': 'ask' | 'mechanical';
  readonly 'fix.assume': 'ask' | 'source-is-right';
  readonly 'fix.strategy': 'auto' | 'conservative' | 'aggressive' | 'surgical';
  readonly 'fix.maxIterations': number;
  readonly 'fix.targetPassRate': number;
  readonly 'fix.sandbox': 'copy' | 'inPlace';
  readonly 'fix.nursery': readonly string[];
  readonly 'fix.provider': 'builtIn' | 'editorModel' | 'endpoint' | 'agent';
  readonly 'fix.model.url': string;
  readonly 'fix.model.name': string;
  readonly 'fix.agent.command': string;
  readonly 'fix.agent.timeout': number;
  readonly 'fix.agent.jail': AgentJail;
  readonly 'fix.agent.reads': readonly string[];
  readonly 'fix.agent.writes': readonly string[];
  readonly 'fix.maxTokens': number;
  readonly 'fix.maxCost': number;
  readonly historyRuns: number;
  readonly mcpServer: boolean;
  readonly trace: 'off' | 'messages' | 'verbose';
}
export type SettingKey = keyof Settings;

export const settingDefaults: Settings = {
  enable: true,
  frameworks: [],
  maxParallel: 0,
  timeout: 300,
  skillTimeout: 30,
  nodePath: '',
  pythonPath: '',
  continuous: 'affected',
  layers: {},
  coverage: [],
  'fix.apply': 'ask',
  'fix.assume': 'ask',
  'fix.strategy': 'auto',
  'fix.maxIterations': 10,
  'fix.targetPassRate': 95,
  'fix.sandbox': 'copy',
  'fix.nursery': [],
  'fix.provider': 'builtIn',
  'fix.model.url': '',
  'fix.model.name': '',
  'fix.agent.command': '',
  'fix.agent.timeout': 300,
  'fix.agent.jail': 'auto',
  'fix.agent.reads': [],
  'fix.agent.writes': [],
  'fix.maxTokens': 0,
  'fix.maxCost': 0,
  historyRuns: historyRuns.usual,
  mcpServer: true,
  trace: 'off',
};

/** Values of the settings that are a choice. */
export const settingChoices: { readonly [Key in SettingKey]?: readonly Settings[Key][] } = {
  continuous: ['affected', 'file'],
  'fix.apply': ['ask', 'mechanical'],
  'fix.assume': ['ask', 'source-is-right'],
  'fix.strategy': ['auto', 'conservative', 'aggressive', 'surgical'],
  'fix.sandbox': ['copy', 'inPlace'],
  'fix.provider': ['builtIn', 'editorModel', 'endpoint', 'agent'],
  'fix.agent.jail': ['auto', 'required', 'off'],
  trace: ['off', 'messages', 'verbose'],
};

export const controllerId = 'testmend';
export const panelViewType = 'testmend.cycle';
export const recordingViewType = 'testmend.recording';
/** Tools of the MCP server that agents in the chat also have without it; in the editor their names begin with `testmend_`. */
export const agentToolNames = [
  'run_tests',
  'diagnose_failure',
  'propose_fixes',
  'apply_fix',
  'verify_patch',
] as const;
/** Of the MCP server that the chat of VS Code finds. */
export const serverProviderId = 'testmend.mcp';
export const logLanguageId = 'testmend-log';
/** URI scheme of the right-hand side of a fix's diff. */
export const proposedScheme = 'testmend-fix';
/** Context key: a fix cycle is running. */
export const cycleRunningKey = 'testmend.cycleRunning';
