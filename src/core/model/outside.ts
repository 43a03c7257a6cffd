// Whom a cycle of an editor asks where no built-in fixer has an edit; said with the request to start it, and kept nowhere.
import { z } from 'zod';
import { outsiderSchema } from './fix.ts';

/** Of all questions of a cycle together; absent: none. */
const limitsSchema = z.object({
  tokens: z.exactOptional(z.number().positive()),
  /** In the currency of the endpoint, for endpoints that tell it. */
  cost: z.exactOptional(z.number().positive()),
});

/** `auto`: in a jail where the system has one; `required`: nowhere else; `off`: with the user's rights. */
export type AgentJail = 'auto' | 'required' | 'off';

export const outsideSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('endpoint'),
    url: z.string(),
    model: z.string(),
    /** By this name it is blotted out wherever the message is logged (core/base/redactSecrets.ts). */
    apiKey: z.exactOptional(z.string()),
    limits: limitsSchema,
  }),
  z.object({
    kind: z.literal('editorModel'),
    /** Of the model in the editor. */
    id: z.string(),
    name: z.string(),
    limits: limitsSchema,
  }),
  z.object({
    kind: z.literal('agent'),
    command: z.string(),
    timeoutSeconds: z.number().positive(),
    jail: z.exactOptional(z.enum(['auto', 'required', 'off'])),
    /** Absolute paths that it may read, and write, in a jail beside its copy. */
    reads: z.exactOptional(z.array(z.string())),
    writes: z.exactOptional(z.array(z.string())),
  }),
  /** Somebody was to be asked, and cannot be. */
  z.object({
    kind: z.literal('unavailable'),
    asked: outsiderSchema,
    reason: z.string(),
    remedy: z.string(),
  }),
]);
export type Outside = z.infer<typeof outsideSchema>;
export type OutsideLimits = z.infer<typeof limitsSchema>;
