import type { LookupFunction } from 'node:net';
import type { Agent, RequestInit as UndiciRequest } from 'undici';

const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
let agent: Agent | undefined;

/**
 * The global fetch, with names under `.localhost` resolved to the loopback addresses as in browsers (RFC 6761
 * section 6.3): not every system's resolver does, and the gateway of a development network uses such names.
 */
export const localhostFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!url.hostname.endsWith('.localhost')) return fetch(input, init);
  const undici = await import('undici');
  agent ??= new undici.Agent({ connect: { lookup: lookUpLoopback } });
  // undici and Node declare the same standard's types separately.
  const request = { ...init, dispatcher: agent } as unknown as UndiciRequest;
  return (await undici.fetch(url, request)) as unknown as Response;
};

const lookUpLoopback: LookupFunction = (_hostname, { all }, answer) => {
  if (all) {
    answer(null, LOOPBACK);
  } else {
    answer(null, LOOPBACK[0]!.address, LOOPBACK[0]!.family);
  }
};
