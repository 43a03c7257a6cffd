// Which addresses a scenario may open: its allowed origins, no files, and nothing private in untrusted use.
import { lookup } from 'node:dns/promises';
import net from 'node:net';

export interface AddressRules {
  /** Origins like `https://shop.example` or `https://*.example`; absent: every web address. */
  readonly allowedOrigins?: readonly string[];
  /** The scenario comes from somebody who is not trusted: addresses of this machine and its network are refused. */
  readonly untrusted: boolean;
}

/** A sentence why the address is refused, or undefined. `about:blank`, data and blob addresses are the page's own. */
export function refusal(address: string, { allowedOrigins, untrusted }: AddressRules): string | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return `"${address}" is not an address. Set baseUrl in scenario.config.yaml for relative addresses.`;
  }
  if (/^(?:about|data|blob):$/.test(url.protocol)) return undefined;
  const isAllowed = allowedOrigins?.some((origin) => isOrigin(url, origin)) ?? false;
  if (url.protocol === 'file:' && (untrusted || !isAllowed))
    return `Files of this machine are not opened: ${address}.`;
  if (!/^(?:https?|wss?|file):$/.test(url.protocol)) return `The protocol of ${address} is not allowed.`;
  if (untrusted && isPrivate(url.hostname))
    return `${url.origin} is an address of this machine or its network, which is refused in untrusted use.`;
  if (allowedOrigins !== undefined && !isAllowed)
    return `${url.origin} is outside of the allowed origins (${allowedOrigins.join(', ')}).`;
  return undefined;
}

/** The same, and in untrusted use also for names that stand for private addresses. */
export async function refusalOnNetwork(address: string, rules: AddressRules): Promise<string | undefined> {
  const refused = refusal(address, rules);
  if (refused !== undefined || !rules.untrusted || /^(?:about|data|blob):/.test(address)) return refused;
  const { hostname, origin } = new URL(address);
  if (net.isIP(hostname) !== 0) return undefined;
  const found = await lookup(hostname, { all: true }).catch(() => []);
  return found.some((one) => isPrivate(one.address))
    ? `${origin} stands for an address of this machine or its network, which is refused in untrusted use.`
    : undefined;
}

function isOrigin(url: URL, allowed: string): boolean {
  if (allowed === 'file:' || allowed === 'file://') return url.protocol === 'file:';
  const [, protocol, host = ''] = /^(?:(https?|wss?):\/\/)?([^/]+)\/?$/.exec(allowed) ?? [];
  if (host === '') return false;
  const scheme = url.protocol.slice(0, -1).replace('ws', 'http');
  if (protocol !== undefined && protocol.replace('ws', 'http') !== scheme) return false;
  if (!host.startsWith('*.')) return url.host === host.toLowerCase() || withPort(url) === host.toLowerCase();
  return url.host.endsWith(host.slice(1).toLowerCase());
}

const withPort = (url: URL): string =>
  `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;

function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.endsWith('.local') ||
    host.endsWith('.internal')
  )
    return true;
  if (net.isIPv4(host)) return privateBlocks.check(host, 'ipv4');
  return net.isIPv6(host) && privateBlocks.check(host, 'ipv6');
}

const privateBlocks = new net.BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateBlocks.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateBlocks.addSubnet(address, bits, 'ipv6');
