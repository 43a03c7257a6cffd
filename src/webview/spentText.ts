// What it took to ask a model or an agent in a cycle, as one sentence for each of them.
import type { CycleReport } from '../core/model/cycle.ts';
import { counted } from './standing.ts';

/** Nothing where nobody was asked. */
export function spentText(report: CycleReport | undefined): string {
  const asked = report?.spent.asked ?? [];
  return asked
    .map(({ provider: author, requests, inputTokens, outputTokens, cost }) => {
      if (author === 'agent') return `The agent was started ${counted(requests, 'time')}.`;
      const price = cost === undefined ? '' : ` (the endpoint reports a cost of ${cost.toPrecision(3)})`;
      const tokens = `${inputTokens.toLocaleString('en')} tokens in, ${outputTokens.toLocaleString('en')} out`;
      return `The model answered ${counted(requests, 'question')}: ${tokens}${price}.`;
    })
    .join(' ');
}
