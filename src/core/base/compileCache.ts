// Keeps what Node compiled of our files for the next start, where Node can: from 22.1 on.
import module from 'node:module';

/**
 * For what this process imports from now on. `folder`: absolute, and the user's own, for what lies in it is run; Node's default is one
 * that every user of the machine may write into.
 */
export function keepCompiled(folder: string): void {
  const enable: unknown = 'enableCompileCache' in module ? module.enableCompileCache : undefined;
  if (typeof enable === 'function') Reflect.apply(enable, module, [folder]);
}
