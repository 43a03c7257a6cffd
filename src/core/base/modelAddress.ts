// The address of a model's endpoint: what counts as one, and whether a key may go there.

/** The address; undefined for what is none of http or https, or names a user. */
export function readModelAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === '' && url.password === '' ? url : undefined;
}

/** Only encrypted, or to this machine. */
export function mayTakeKey(url: URL): boolean {
  return url.protocol === 'https:' || isThisMachine(url);
}

const isThisMachine = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
