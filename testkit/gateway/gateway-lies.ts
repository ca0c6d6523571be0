import { OWN } from './chain-answers.js';

/** Raw JSON values that replace the value of a field. */
const VALUES = [
  'null',
  'true',
  '"x"',
  '""',
  '-1',
  '0',
  '1.5',
  '1e3',
  '1E400',
  '18446744073709551615',
  '18446744073709551616',
  '1'.repeat(40),
  `"${'1'.repeat(40)}"`,
  `"${'00'.repeat(32)}"`,
  '"\\u0000\\u001b[31m"',
  '[]',
  '{}',
  '[[1]]',
];
const PAGE = '<!doctype html><title>Welcome</title>';
const REFUSAL = '{"success":false,"error":"no","code":400}';
const NOT_FOUND = '{"success":false,"error":"no","code":404}';

/** Changes an honest answer of a gateway into a lie. */
export type GatewayLie = (honest: Response) => Promise<Response> | Response;

/** Lies that replace the whole answer. */
const ANSWERS: [what: string, lie: GatewayLie][] = [
  ['a page', () => new Response(PAGE)],
  ['a page with status 404', () => new Response(PAGE, { status: 404 })],
  ['a page with status 502', () => new Response(PAGE, { status: 502 })],
  ['nothing', () => new Response('')],
  ['nothing, with status 204', () => new Response(null, { status: 204 })],
  ['null', () => new Response('null')],
  ['a list', () => new Response('[]')],
  ['a number', () => new Response('1')],
  ['an empty object', () => new Response('{}')],
  ['a redirect', () => new Response('', { status: 302, headers: { location: 'http://other.test/' } })],
  ['status 503', () => new Response('', { status: 503 })],
  ['status 500', () => new Response('{}', { status: 500 })],
  ['a refusal', () => new Response(REFUSAL, { status: 400 })],
  ['that it knows nothing', () => new Response(NOT_FOUND, { status: 404 })],
  ['its answer with status 404', async honest => new Response(await honest.text(), { status: 404 })],
  ['its answer cut short', async honest => new Response((await honest.text()).slice(0, -1))],
  ['its answer twice', async honest => new Response((await honest.text()).repeat(2))],
  ['its answer after a byte order mark', async honest => new Response(`\ufeff${await honest.text()}`)],
  ['its answer in a list', async honest => new Response(`[${await honest.text()}]`)],
  ['a byte that is not UTF-8', () => new Response(Uint8Array.of(0x7b, 0xff, 0x7d))],
  ['100,000 brackets', () => new Response('['.repeat(100_000))],
  ['an error of the connection', () => Promise.reject(new TypeError('fetch failed'))],
];

/** Fields of the answers of each route that lies change, by route. */
export const FIELDS = {
  '/api/v1/node/info': ['genesis_hash', 'signing_version', 'signing_tag', 'height'],
  '/api/v1/blockchain/status': ['height'],
  '/api/v1/blockchain/estimate-fee': ['minimum_fee', 'timestamp'],
  [`/api/v1/accounts/${OWN}`]: ['balance', 'spendable_balance'],
  '/api/v1/transactions?': ['transactions'],
  '/api/v1/transactions': ['status', 'duplicate', 'transaction_hash'],
  '/status': ['status', 'block_height'],
};

function liesAbout(field: string): [what: string, lie: GatewayLie][] {
  const rewrite =
    (change: (text: string) => string): GatewayLie =>
    async honest =>
      new Response(change(await honest.text()), { status: honest.status });
  const value = new RegExp(`"${field}":("[^"]*"|\\[[^\\]]*\\]|[^,}]*)`);
  return [
    ...VALUES.map((raw): [string, GatewayLie] => [
      `${field} ${raw.slice(0, 24)}`,
      rewrite(text => text.replace(value, `"${field}":${raw}`)),
    ]),
    [`no ${field}`, rewrite(text => text.replace(value, '"other":1'))],
    [`${field} twice`, rewrite(text => text.replace(value, match => `"${field}":0,${match}`))],
    [`${field} as __proto__`, rewrite(text => text.replace(`"${field}"`, '"__proto__"'))],
  ];
}

/**
 * Returns the route of a request. `/api/v1/transactions` is the broadcast; the list of transactions has a
 * `?`.
 */
export function routeOf(url: string, isPost: boolean): string {
  const path = url.replace(/^http:\/\/[^/]+/, '');
  if (path.endsWith('/status') && path.startsWith('/api/v1/transactions/')) return '/status';
  const [route, query] = path.split('?');
  return route === '/api/v1/transactions' && !isPost && query !== undefined ? `${route}?` : route!;
}

/** All lies about all routes. Each lie changes one field, or replaces the whole answer. */
export const GATEWAY_LIES = Object.entries(FIELDS).flatMap(([route, fields]) =>
  [...ANSWERS, ...fields.flatMap(liesAbout)].map(([what, lie]) => ({ route, what, lie })),
);
