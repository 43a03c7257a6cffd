// What a page tells while a person records: checked, since every script of the page could say the same.
import { z } from 'zod';
import { fingerprintSchema } from '../healing/fingerprint.ts';

const modeSchema = z.enum(['record', 'visible', 'text']);
const place = {
  element: z.optional(fingerprintSchema),
  /** All visible elements of its document, to tell which locators find it alone. */
  elements: z.array(fingerprintSchema).default([]),
  isField: z.boolean().default(false),
};
const modifier = z.enum(['Alt', 'Control', 'Meta', 'Shift']);

export const pageEventSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('click'),
    ...place,
    button: z.enum(['left', 'right']),
    count: z.number().int().min(1).max(10).catch(1),
    modifiers: z.array(modifier),
  }),
  /** `same`: in the field of the fill before. A secret has no value. */
  z.object({
    kind: z.literal('fill'),
    ...place,
    same: z.boolean().default(false),
    secret: z.boolean(),
    value: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('check'), ...place, checked: z.boolean() }),
  z.object({
    kind: z.literal('select'),
    ...place,
    chosen: z.array(z.object({ value: z.string(), label: z.string() })),
  }),
  z.object({ kind: z.literal('files'), ...place, files: z.array(z.string()) }),
  z.object({ kind: z.literal('press'), ...place, key: z.string().min(1).max(40) }),
  z.object({
    kind: z.literal('assert'),
    ...place,
    what: z.enum(['visible', 'text', 'value']),
    text: z.string(),
  }),
  z.object({ kind: z.literal('mode'), mode: modeSchema }),
  z.object({ kind: z.literal('stop') }),
]);
type PageEvent = z.infer<typeof pageEventSchema>;
/** An event about an element, which becomes a step. */
export type ElementEvent = Extract<PageEvent, { elements: unknown }>;
