// Checks an expression for pytest's `-k` before anything is started with it.
import { HumanError } from '../../base/humanError.ts';
import { checkFilter } from '../filter.ts';

/** The expression itself; throws a `bad-input` HumanError for what Q4 refuses and for what pytest would not read. */
export function checkKeywordFilter(expression: string): string {
  checkFilter(expression);
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const refuse = (message: string): never => {
    throw new HumanError('bad-input', `The filter is not a pytest expression: ${message}.`, {
      value: expression,
      remedy:
        'Write parts of names joined by "and", "or", "not" and parentheses, for example "cart and not slow".',
    });
  };
  const operand = (): void => {
    const token = tokens[at++];
    if (token === undefined) refuse('it ends too early');
    else if (token === 'not') operand();
    else if (token === '(') {
      chain();
      if (tokens[at++] !== ')') refuse('a parenthesis is not closed');
    } else if (/^(?:and|or|\))$/.test(token)) refuse(`"${token}" stands where a name is expected`);
    else if (!/^[\w:+\-.[\]\\/\p{L}]+$/u.test(token)) refuse(`"${token}" is no part of a name`);
  };
  const chain = (): void => {
    operand();
    while (tokens[at] === 'and' || tokens[at] === 'or') {
      at++;
      operand();
    }
  };
  chain();
  if (at < tokens.length) refuse(`"${tokens[at] ?? ''}" stands where "and" or "or" is expected`);
  return expression;
}
