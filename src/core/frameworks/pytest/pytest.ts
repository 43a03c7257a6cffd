// pytest (7 and newer): where it is used, which files are its tests, how it is started.
import { findTests } from '../../syntax/python/findTests.ts';
import { defaultConfig, namesOfEntries, readPytestConfig } from './pytestConfig.ts';
import type { TestFramework } from '../framework.ts';
import { foldersInPlace } from './inPlace.ts';
import { moduleReader } from './moduleReader.ts';
import { readPytestCoverage } from './pytestCoverage.ts';
import { listPythonTests } from './pytestFiles.ts';
import { pytestMarks } from './pytestFolders.ts';
import { pytestLaunches } from './pytestLaunch.ts';
import { detectPytest, pythonOf } from './pytestProject.ts';
import { pytestVocabulary } from './vocabulary.ts';

export const pytest: TestFramework = {
  id: 'pytest',
  label: 'pytest',
  vocabulary: pytestVocabulary,
  language: 'python',
  marks: pytestMarks,
  capture: { loadedBy: 'reporter' },
  sharesProcess: true,
  literalTitles: true,
  plainNativeFilter: true,
  drivesBrowser: true,
  detect: async (facts) => detectPytest(facts),
  listTestFiles: async (project, signal, { tree } = {}) => {
    const config = readPytestConfig(project.root, namesOfEntries(project.root)) ?? defaultConfig;
    const files = await listPythonTests(project, config, tree, signal);
    return files.map((file) => ({ file }));
  },
  scan: async (file, text, { thorough = false, project } = {}) => {
    const reader = moduleReader(file, project?.root);
    let readsOthers = project?.testNames !== undefined;
    const read: typeof reader = (specifier) => {
      readsOthers = true;
      return reader(specifier);
    };
    const found = await findTests(text, project?.testNames, { thorough, read });
    return { ...found, ...(readsOthers && { readsOthers }) };
  },
  readCoverage: (request) => readPytestCoverage(request, (project) => pytest.listTestFiles(project)),
  launches: pytestLaunches,
  // The environment stays where it is: what is installed in place there must come from the copy.
  inCopy: (project, original, toCopy) => {
    const { entry } = project;
    const folders = entry === undefined ? [] : foldersInPlace(pythonOf(entry));
    const importPaths = folders.map(toCopy).filter((folder, index) => folder !== folders[index]);
    return { ...(entry !== undefined && { entry }), copy: { original, importPaths } };
  },
};
