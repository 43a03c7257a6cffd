// Options that a function takes out of its parameter in its body: what else uses the new name decides how sure a rename is.
import assert from 'node:assert/strict';
import { mend, renamed } from './mendMember.ts';

const make = `export function make(text, options = {}) { const { wide = false, tint: own } = options ?? {}; return wide ? text + own : text; }\n`;
const given = { test: `¶expect(make('a', { wide: true, tint: 'b' })).toBe('ab');` };
const mended = `expect(make('a', { broad: true, tint: 'b' })).toBe('ab');`;

describe('an option that is taken out of its parameter in the body', () => {
  it('is followed as a question while nothing but the function has the new name', async () => {
    const { text, fixes } = await mend({ ...renamed(make, 'wide', 'broad'), ...given });
    assert.deepEqual([fixes[0]?.trust, text], ['propose', mended]);
    assert.match(fixes[0]?.evidence[0] ?? '', /only the function itself uses the new name/);
  });

  it('is followed for certain where a caller went along', async () => {
    const called = `${make}export const long = () => make('a', { wide: true });\n`;
    const { text, fixes } = await mend({ ...renamed(called, 'wide', 'broad'), ...given });
    assert.deepEqual([fixes[0]?.trust, text], ['mechanical', mended]);
  });

  it('is a question where the function does something else as well', async () => {
    const now = make.replaceAll('wide', 'broad').replace('text + own', 'String(text) + own');
    const { text, fixes } = await mend({ before: make, now, ...given });
    assert.deepEqual([fixes[0]?.trust, text], ['propose', mended]);
    assert.match(fixes[0]?.evidence[0] ?? '', /broad is the only new name there, but its code differs/);
  });
});
