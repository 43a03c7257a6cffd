// Which rules of the gate hold for a patch whatever else is known of it, and which yield to what is known.

/**
 * forbidden: always holds · plain: yields where the plain form of the change (`plainForm`) breaks no rule, because then the tests do
 * what they did in other words · weighed: yields where the tests that change still notice every planted bug that they noticed.
 */
type Answer = 'forbidden' | 'plain' | 'weighed';

/** What is not here is forbidden: nobody has said yet why it could be let through. */
export const yielding: Readonly<Record<string, readonly [Answer, why: string]>> = {
  'removed-test': [
    'plain',
    'The same body under another title, or in another suite without hooks, is the same test.',
  ],
  'removed-rows': ['plain', 'Rows that moved into a constant are the same rows.'],
  'fewer-assertions': ['plain', 'An assertion that a helper makes at every call is still made.'],
  'moved-assertion': ['plain', 'A helper that is called is no function that may never run.'],
  'vacuous-assertion': ['plain', 'What a helper is given is still what the code under test gave.'],
  'weakened-subject': ['plain', 'A helper that only calls the code under test changes nothing of the value.'],
  'computed-expectation': [
    'plain',
    'A constant or a parameter that holds the same literal expects the same.',
  ],
  unread: ['weighed', 'More keys, arguments and assertions are harmless if the tests find the same bugs.'],
};

export const answerOf = (rule: string): Answer => yielding[rule]?.[0] ?? 'forbidden';
