// Work that tells events to a callback, as a generator of them: what a host goes through with `for await`.

/** The result of the work is the return value; what it throws is thrown when its events were heard. */
export async function* eventsOf<Event, Result>(
  work: (onEvent: (event: Event) => void) => Promise<Result>,
): AsyncGenerator<Event, Result, void> {
  const heard: Event[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const result = work((event) => {
    heard.push(event);
    wake();
  }).finally(() => {
    isOver = true;
    wake();
  });
  // Awaited below, once the events before it were heard.
  result.catch(() => undefined);
  for (;;) {
    // An array that grows while it is gone through is not shifted for each event: a large run has many at once.
    for (const event of heard.splice(0)) yield event;
    if (heard.length > 0) continue;
    if (isOver) return result;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}
