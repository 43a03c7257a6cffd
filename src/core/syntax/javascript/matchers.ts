// What the matchers of the assertion libraries ask for, by their names: of Jest and Vitest, chai, should, node:assert, AVA and Playwright.

/** For an error, by its class or its text. */
export const asksForError = /^(?:toThrow|toThrowError|throws?|Throw|rejects|throwsAsync|rejectedWith)$/;

/** Takes a class for what is asked: an instance of it, or any value of it. */
export const takesClass = (matcher: string): boolean =>
  asksForError.test(matcher) || /^(?:any|an?|instance[oO]f|toBeInstanceOf)$/.test(matcher);

/** For a text that may stand anywhere in another one. */
export const asksForText =
  /^(?:toMatch|toContain|(?:deep\.)?includes?|contains?|match|regex|string|toContainText|toHaveTextContent)$/;

/** For a part of a text or for an item of a list, so that both sides differ by nature. */
export const asksForPart = /^(?:toContain(?:Equal)?|toMatch|match)$/;

/** For how many items there are. */
export const asksForLength = /^(?:toHaveLength|length|lengthOf|toHaveCount)$/;

/** For the arguments of calls of a mock, or for their number. */
export const asksForCalls =
  /^(?:toHaveBeen(?:Last|Nth)?CalledWith|toHaveBeenCalledExactlyOnceWith|(?:toBeC|lastC|nthC)alledWith|(?:toHaveBeen|toBe)CalledTimes)$/;
