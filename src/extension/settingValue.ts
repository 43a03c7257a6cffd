// What a value in settings.json counts for: wrong kinds are the default, numbers out of range the nearest allowed.
import { historyRuns } from '../core/model/historyRuns.ts';
import { layerGlobsSchema } from '../core/model/settings.ts';
import { settingChoices, settingDefaults, type SettingKey, type Settings } from './contributions.ts';

/** VS Code marks such values in settings.json itself; whatever stands there, the engine gets one that it accepts. */
export function settingValue<Key extends SettingKey>(key: Key, value: unknown): Settings[Key] {
  if (!isValid(key, value)) return settingDefaults[key];
  const inRange: unknown = typeof value === 'number' ? numberInRange(key, value) : value;
  return isValid(key, inRange) ? inRange : settingDefaults[key];
}

function isValid<Key extends SettingKey>(key: Key, value: unknown): value is Settings[Key] {
  if (key === 'layers') return layerGlobsSchema.safeParse(value).success;
  const fallback: unknown = settingDefaults[key];
  if (Array.isArray(fallback)) return Array.isArray(value) && value.every((item) => typeof item === 'string');
  const choices: readonly unknown[] | undefined = settingChoices[key];
  return typeof value === typeof fallback && (choices === undefined || choices.includes(value));
}

function numberInRange(key: SettingKey, value: number): number {
  if (!Number.isFinite(value)) return Number(settingDefaults[key]);
  const upTo = (most: number): number => Math.min(Math.max(0, value), most);
  switch (key) {
    case 'timeout':
    case 'skillTimeout':
    case 'fix.agent.timeout':
      return value > 0 ? value : settingDefaults[key];
    case 'maxParallel':
    case 'fix.maxTokens':
      return Math.floor(upTo(Number.MAX_SAFE_INTEGER));
    case 'fix.maxIterations':
      return Math.max(1, Math.floor(upTo(Number.MAX_SAFE_INTEGER)));
    case 'historyRuns':
      return Math.max(1, Math.floor(upTo(historyRuns.most)));
    case 'fix.maxCost':
      return upTo(Number.MAX_SAFE_INTEGER);
    case 'fix.targetPassRate':
      return upTo(100);
    default:
      return value;
  }
}
