// What tools take (CONTRACTS Q4): refused by their schemas, so that nothing starts for hostile arguments.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../core/base/humanError.ts';
import { isInside, realPathOr } from '../core/base/paths.ts';

const plain = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;

/** A text that runners are given: never one of their options. */
export const filterSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(plain, 'control characters are not allowed')
  .regex(/^[^-]/, 'it must not start with "-"')
  .refine((text) => text.trim() !== '' && !text.includes('..'), 'it must not be blank or contain ".."');

/** Relative to the root. */
export const fileSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(plain, 'control characters are not allowed')
  .regex(/^[^-]/, 'it must not start with "-"')
  .refine(
    (file) =>
      !path.posix.isAbsolute(file) &&
      !path.win32.isAbsolute(file) &&
      !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(file),
    'it must be relative to the root and stay inside it',
  );

/** Of a fix or a patch that is not verified. */
export const verdictKindSchema = z
  .enum(['weakened', 'forbidden', 'cannot-tell'])
  .optional()
  .describe('Why it is not verified; absent where its tests fail.');

export const handleSchema = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[\w-]+$/);
/** framework[/project]:file#names */
export const testIdSchema = z
  .string()
  .max(2000)
  .regex(plain, 'control characters are not allowed')
  .regex(/^[A-Za-z][^:]*:./, 'it is no id of a test');

export const rootArgument = {
  root: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('One of the roots of this server; the first when left out.'),
};
export const filesSchema = z.array(fileSchema).max(500);

/** Absolute places of files in the root; a line behind a colon stays. Throws `bad-input` where a link leads out of it. */
export function placesIn(root: string, files: readonly string[]): readonly string[] {
  return files.map((file) => {
    const place = path.resolve(root, file);
    if (isInside(root, realNearest(withoutLine(place)))) return place;
    throw new HumanError('bad-input', `${file} is outside of the root.`, {
      value: file,
      remedy: 'Name a file inside of the root, relative to it.',
    });
  });
}

const withoutLine = (place: string): string => (existsSync(place) ? place : place.replace(/:[1-9]\d*$/, ''));

/** Of a place where nothing is yet: behind the links of the folders around it. */
function realNearest(place: string): string {
  const folder = path.dirname(place);
  return existsSync(place) || folder === place
    ? realPathOr(place)
    : path.join(realNearest(folder), path.basename(place));
}
