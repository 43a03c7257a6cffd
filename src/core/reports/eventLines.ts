// The events of a fix cycle as lines of JSON, without the secrets that its files give away.
import { jsonWithoutSecrets } from '../base/redactSecrets.ts';
import { toldSecrets } from '../diagnosis/toldSecrets.ts';
import type { CycleEvent } from '../model/cycle.ts';

/** `root`: of the files that events name. What one event tells of is blotted out in all that follow. */
export function eventLines(root: string): (event: CycleEvent) => string {
  const secrets = toldSecrets(root);
  return (event) => {
    secrets.learn(event);
    return `${jsonWithoutSecrets(event, secrets.told)}\n`;
  };
}
