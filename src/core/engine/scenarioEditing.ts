// Scenario files as an editor works on them: what may stand where, what it means, and what is wrong.
export { checkScenarioFile } from '../scenario/editing/check.ts';
export { completionsAt, type Completion, type EditedFile } from '../scenario/editing/completion.ts';
export { definitionsAt } from '../scenario/editing/definition.ts';
export { hoverAt } from '../scenario/editing/hover.ts';
export { loadSurroundings } from '../scenario/editing/loadSurroundings.ts';
export { outlineOf, type OutlineItem } from '../scenario/editing/outline.ts';
