// Questions of Cypress, options however they are written, and `expect` of a context: forbidden changes, and harmless ones beside them.
import { body, file, hello, inTest, type Case } from './changes.ts';

const visits = (steps: string): string => `it('a', () => { cy.visit('/'); ${steps} });`;
const said = visits(`cy.get('x').should('have.text', 'Hi');`);
const inContext = (start: string): string =>
  inTest(hello).replace('async () => {', `async (${start.split('|')[0]}) => { ${start.split('|')[1]}`);

export const forbiddenInCypress: Readonly<Record<string, readonly Case[]>> = {
  'weaker-matcher': [
    file('only that it is there', said, visits(`cy.get('x').should('exist');`)),
    file('a part of the text', said, visits(`cy.get('x').should('contain.text', 'Hi');`)),
  ],
  inverted: [
    file(
      'the opposite',
      visits(`cy.get('x').should('be.visible');`),
      visits(`cy.get('x').should('not.be.visible');`),
    ),
  ],
  'fewer-assertions': [
    file('nothing asked', said, visits(`cy.get('x');`)),
    file(
      'one question of two',
      visits(`cy.get('x').should('be.visible').and('have.text', 'Hi');`),
      visits(`cy.get('x').should('have.text', 'Hi');`),
    ),
  ],
  sleep: [file('a pause', said, visits(`cy.wait(9000); cy.get('x').should('have.text', 'Hi');`))],
  'test-api-tampering': [
    file(
      'own matchers by the context',
      inTest(hello),
      inContext('{ expect: x }|x.extend({ toBe: () => ({ pass: true }) });'),
    ),
    file(
      'own matchers by a member',
      inTest(hello),
      inContext('ctx|ctx.expect.extend({ toBe: () => ({}) });'),
    ),
  ],
  'assertion-count': [
    body(
      'counted in a function',
      `expect.assertions(1); ${hello}`,
      `const f = () => expect.assertions(1); ${hello}`,
    ),
    body(
      'counted sometimes',
      `expect.assertions(1); ${hello}`,
      `if (cart.on) expect.assertions(1); ${hello}`,
    ),
  ],
  retry: [
    file(
      'an option of a name',
      inTest(hello),
      `const retry = 5;\n${inTest(hello).replace("'greets', ", "'greets', { retry }, ")}`,
    ),
    file(
      'an option with a built name',
      inTest(hello),
      inTest(hello).replace("'greets', ", "'greets', { ['ret' + 'ry']: 5 }, "),
    ),
    file('a method by its text', inTest(hello), `jest['retryTimes'](3);\n${inTest(hello)}`),
  ],
  'skip-or-only': [
    file(
      'a built name',
      inTest(hello),
      inTest(hello).replace("'greets', ", "'greets', { ['sk' + 'ip']: true }, "),
    ),
    file(
      'a name',
      inTest(hello),
      `const skip = true;\n${inTest(hello).replace("'greets', ", "'greets', { skip }, ")}`,
    ),
  ],
};

export const allowedInCypress: readonly Case[] = [
  file('another text', said, said.replace("'Hi'", "'Hello'")),
  file('another element', said, said.replace("'x'", "'#x'")),
  file('a wait for a request', said, said.replace('cy.get', `cy.wait('@load'); cy.get`)),
  file('one more question', said, said.replace(`'Hi')`, `'Hi').and('be.visible')`)),
  body(
    'a counted assertion more',
    `expect.assertions(1); ${hello}`,
    `expect.assertions(2); ${hello} expect(save(1)).toBe(1);`,
  ),
  file(
    'an option that skips nothing',
    inTest(hello),
    inTest(hello).replace("'greets', ", "'greets', { tags: ['a'] }, "),
  ),
];
