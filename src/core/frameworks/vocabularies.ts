// The words of all frameworks together, for a test file of which nobody says whose it is: what fixers and gate go by.
import { unionOf, type HookPhase, type HookVocabulary, type TestVocabulary } from '../syntax/vocabulary.ts';
import { frameworks } from './registry.ts';

const known = frameworks.flatMap(({ vocabulary }) => vocabulary ?? []);

const isOfScript = (vocabulary: HookVocabulary): vocabulary is TestVocabulary => 'roots' in vocabulary;

/** Of all frameworks of JavaScript. */
export const scriptVocabulary: TestVocabulary = unionOf(known.filter(isOfScript));

/** The hooks of every language. */
export const hookPhases: ReadonlyMap<string, HookPhase> = new Map(known.flatMap(({ hooks }) => [...hooks]));
