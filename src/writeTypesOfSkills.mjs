// Writes the types of `testmend/skills` from its source: the declarations of its public files, as they are written.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';

const source = path.join(import.meta.dirname, 'core/frameworks/skill');

/** Into this folder, beside skills.js. */
export async function writeTypesOfSkills(folder) {
  for (const name of ['skills', 'skillRecord']) {
    const fileName = path.join(source, `${name}.ts`);
    const { outputText } = ts.transpileDeclaration(await readFile(fileName, 'utf8'), { fileName });
    await writeFile(
      path.join(folder, `${name}.d.ts`),
      outputText.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"),
    );
  }
}
