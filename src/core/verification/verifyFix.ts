// Proves fixes in the sandbox: the target passes, nothing that passed before fails or disappears, the gate holds.
import type { Fix, Verdict } from '../model/fix.ts';
import type { VerificationContext, VerificationScope } from './verification.ts';

/** The verdict over one fix; never throws for a fix that is wrong, only when cancelled or when the environment fails. */
export async function verifyFix(
  fix: Fix,
  context: VerificationContext,
  scope: VerificationScope,
): Promise<Verdict> {
  const [verdict] = await verifyFixes([fix], context, scope);
  if (verdict === undefined) throw new Error('a fix without a verdict');
  return verdict;
}

/** Verdicts in the order of the fixes; compatible fixes share their runs, and a regression is traced to its fix by bisection. */
export async function verifyFixes(
  _fixes: readonly Fix[],
  _context: VerificationContext,
  _scope: VerificationScope,
): Promise<readonly Verdict[]> {
  throw new Error('not built yet');
}
