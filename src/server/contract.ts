// One request or notification between an editor and the engine: its method, and what must hold of what crosses.
import type { z } from 'zod';

export interface RequestContract<P, R> {
  readonly method: string;
  readonly params: z.ZodType<P>;
  readonly result: z.ZodType<R>;
}

export interface NotificationContract<P> {
  readonly method: string;
  readonly params: z.ZodType<P>;
}

/** For editor and engine alike; the result is parsed by who asked. */
export function request<P, R>(
  method: string,
  params: z.ZodType<P>,
  result: z.ZodType<R>,
): RequestContract<P, R> {
  return { method, params, result };
}

/** Nobody answers it. */
export function notification<P>(method: string, params: z.ZodType<P>): NotificationContract<P> {
  return { method, params };
}
