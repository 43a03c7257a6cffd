// How a scenario names an element (CONTRACTS S3): strategies by priority, and what may heal them.
import { z } from 'zod';

const text = z.string().min(1);

/** Common to all strategies. */
const base = {
  priority: z
    .exactOptional(z.number().int().min(0))
    .describe('Strategies are tried from the lowest number; without one, in their order in the file.'),
  nth: z
    .exactOptional(z.number().int())
    .describe(
      'Which of several matches is meant, from 0; -1 is the last one. Without it several matches are a miss.',
    ),
  timeout: z
    .exactOptional(z.number().int().min(0).max(600_000))
    .describe('How long this strategy waits for the element, in milliseconds.'),
};
const exact = z.exactOptional(z.boolean()).describe('The whole text, with upper and lower case.');

/** Each strategy with the field that holds what it looks for. */
const strategySchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('testId').describe('By the test id of the element: the most robust one.'),
      value: text.describe('The value of data-testid.'),
      ...base,
    }),
    z.strictObject({
      type: z.literal('role').describe('By the ARIA role and the accessible name.'),
      role: text.describe('The ARIA role: button, link, textbox, …'),
      name: z.exactOptional(text).describe('The accessible name, as a screen reader says it.'),
      exact,
      ...base,
    }),
    z.strictObject({
      type: z.literal('text').describe('By the text of the element.'),
      value: text.describe('Text of the element.'),
      exact,
      ...base,
    }),
    z.strictObject({
      type: z.literal('label').describe('By the label of a form field.'),
      value: text.describe('Text of the label of a form field.'),
      exact,
      ...base,
    }),
    z.strictObject({
      type: z.literal('css').describe('By a CSS selector.'),
      selector: text.describe('A CSS selector.'),
      ...base,
    }),
    z.strictObject({
      type: z.literal('xpath').describe('By an XPath expression.'),
      expression: text.describe('An XPath expression.'),
      ...base,
    }),
  ])
  .describe('One way to find the element.');

const healingSchema = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Look for the element by its fingerprint when no strategy finds it.'),
  autoApprove: z
    .boolean()
    .default(false)
    .describe(
      'Write a healed locator into the scenario without asking, where the evidence is above the threshold.',
    ),
  confidenceThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.9)
    .describe('The least confidence for an approval without asking, from 0 to 1.'),
});

export const locatorSchema = z
  .strictObject({
    displayName: text.describe(
      'The element as people call it. Locators with the same name are healed together.',
    ),
    strategies: z.array(strategySchema).min(1).describe('Ways to find the element, the most robust first.'),
    frame: z
      .exactOptional(z.union([text, z.array(text).min(1)]))
      .describe(
        'CSS selector of the iframe that holds the element; a list for frames in frames, the outermost first.',
      ),
    healing: healingSchema.prefault({}).describe('What happens when no strategy finds the element.'),
  })
  .describe('The element that the step works on.');

export type Strategy = z.infer<typeof strategySchema>;
export type Locator = z.infer<typeof locatorSchema>;

/** The strategies in the order in which they are tried: by priority, then as written (S3). */
export function orderedStrategies({ strategies }: Pick<Locator, 'strategies'>): readonly Strategy[] {
  return strategies
    .map((strategy, at) => ({ strategy, at }))
    .sort((a, b) => (a.strategy.priority ?? a.at) - (b.strategy.priority ?? b.at) || a.at - b.at)
    .map(({ strategy }) => strategy);
}

/** What people see of a strategy: `role=button "Buy"`. */
export function strategyText(strategy: Strategy): string {
  const nth = strategy.nth === undefined ? '' : ` [${strategy.nth}]`;
  switch (strategy.type) {
    case 'role':
      return `role=${strategy.role}${strategy.name === undefined ? '' : ` "${strategy.name}"`}${nth}`;
    case 'css':
      return `css=${strategy.selector}${nth}`;
    case 'xpath':
      return `xpath=${strategy.expression}${nth}`;
    default:
      return `${strategy.type}="${strategy.value}"${nth}`;
  }
}
