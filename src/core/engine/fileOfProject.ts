// Tells a file that belongs to the project from one that a tool leaves there: no report is written over the former.
import path from 'node:path';

/** `file`: absolute real path. True for what git tracks, unless tools make it. */
export async function isOfProject(file: string): Promise<boolean> {
  const { isLeftByTools } = await import('../diagnosis/besideTheCode.ts');
  if (await isLeftByTools(file)) return false;
  const { gitIn } = await import('../workspace/git.ts');
  const asked = ['--literal-pathspecs', 'ls-files', '--error-unmatch', '--', path.basename(file)];
  return (await gitIn(path.dirname(file))(asked, { mayFail: true })).exitCode === 0;
}
