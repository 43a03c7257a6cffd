// The processes that run a selection of a mocha project, with the options of its own test script.
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { realPathOr } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { textOfFile } from '../configFiles.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { batches, checkNativeFilter, namePattern, selectedFiles } from '../launchParts.ts';
import { nodeCoverageEnv } from '../nodeCoverage.ts';
import { mochaPlans, type MochaPlan } from './mochaPlan.ts';
import { mochaVocabulary } from './vocabulary.ts';

/**
 * `node mochaHost.cjs …` for each command of the scripts that runs some of the selection; several when one command line cannot hold
 * the names of the files. Throws a HumanError: `not-installed` when the project has no mocha, `bad-input` for filters that
 * CONTRACTS Q4 refuses.
 */
export async function mochaLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<readonly Launch[]> {
  const { entry, root } = project;
  const { nativeFilter } = selection;
  const pattern = namePattern(selection, ' ', 'Mocha');
  const native = nativeFilter === undefined ? undefined : checkNativeFilter(nativeFilter, 'Mocha');
  if (entry === undefined) {
    throw new HumanError('not-installed', project.problem?.message ?? `Mocha is not installed in ${root}.`, {
      file: project.problem?.file ?? path.join(root, 'package.json'),
      remedy: project.problem?.remedy ?? 'Install it, for example with `npm install`.',
    });
  }
  const plans = await mochaPlans(project);
  return divided(plans, selectedFiles(selection)).flatMap(([plan, files]) =>
    batches(files ?? []).map((batch) => ({
      project,
      args: [
        injectedFile('frameworks/mocha', 'mochaHost.cjs'),
        ...(selection.debug ? ['--debug', '1'] : []),
        ...hostArguments(project, entry, plan, batch, pattern),
      ],
      cwd: root,
      env: { ...plan.env, ...nodeCoverageEnv(selection) },
      files: batch,
      timeoutMs: workspace.limits.timeoutMs,
      exitTells: true,
      ...(native === undefined ? {} : { accepts: (names) => native.test(names.join(' ')) }),
    })),
  );
}

/** Each plan with its part of the files; undefined stands for everything that its mocha finds. */
function divided(
  plans: readonly MochaPlan[],
  files: readonly string[] | undefined,
): readonly (readonly [MochaPlan, readonly string[] | undefined])[] {
  const [first] = plans;
  if (files === undefined) {
    const all = plans.map((plan, index) => [plan, index === 0 ? undefined : plan.files] as const);
    return all.filter(([, own]) => own === undefined || own.length > 0);
  }
  const owners = new Map(
    plans.flatMap((plan) => plan.files.map((file) => [realPathOr(file), plan] as const)),
  );
  const parts = new Map<MochaPlan, string[]>();
  for (const file of files) {
    const owner = owners.get(realPathOr(file)) ?? first;
    if (owner) parts.set(owner, [...(parts.get(owner) ?? []), file]);
  }
  return [...parts];
}

function hostArguments(
  project: FrameworkProject,
  entry: string,
  { args, nodeFlags, files: all }: MochaPlan,
  files: readonly string[],
  pattern: string | undefined,
): readonly string[] {
  const list = (name: string, values: readonly string[]): readonly string[] =>
    values.length === 0 ? [] : [`--${name}`, String(values.length), ...values];
  return [
    '--entry',
    entry,
    ...(pattern === undefined ? [] : ['--pattern', pattern]),
    ...list('node', nodeFlags),
    ...list('files', files),
    ...(files.length === 0
      ? list('without', (project.innerRoots ?? []).map(realPathOr))
      : list('with', hooksAmong(all, files))),
    '--',
    ...args,
  ];
}

const anyOf = (names: ReadonlyMap<string, unknown>): string => [...names.keys()].join('|');
const declaresTests = new RegExp(`\\b(?:${anyOf(mochaVocabulary.roots)})\\b\\s*[.(]`);
const declaresHooks = new RegExp(`\\b(?:${anyOf(mochaVocabulary.hooks)})\\s*\\(`);

/** Files without tests whose hooks concern every test: a run of some files needs them as a run of all does. */
function hooksAmong(all: readonly string[], chosen: readonly string[]): readonly string[] {
  const known = new Set(chosen.map(realPathOr));
  return all.filter((file) => {
    if (known.has(realPathOr(file))) return false;
    const text = textOfFile(file) ?? '';
    return declaresHooks.test(text) && !declaresTests.test(text);
  });
}
