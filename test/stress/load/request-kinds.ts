const ADMIN_KEY = 'k'.repeat(43);
export const DOWNLOAD = 'file.bin';
/** Larger than a connection's buffers. */
export const LARGE_DOWNLOAD = 'large.bin';

/** One kind of request and its expected status. */
export interface RequestKind {
  method?: 'GET' | 'HEAD' | 'POST';
  /** `:account`, `:treasury`, `:hash` and `:height` are replaced by values of the chain. */
  path: string;
  status: number;
  /** The node whose host name is used; default: the gateway's. */
  host?: 'full' | 'archival' | 'stranger';
  headers?: Record<string, string>;
  /** Set if the client disconnects before the answer. */
  abandoned?: true;
}

const chain = (path: string): RequestKind => ({ path: `/api/v1${path}`, status: 200 });
const own = (path: string, headers: Record<string, string> = {}): RequestKind => ({
  path,
  status: 200,
  headers,
});

const READS = [
  '/node/info',
  '/blockchain/status',
  '/blockchain/estimate-fee?type=1&body_length=8',
  '/blocks/latest',
  '/blocks/:height',
  '/blocks?from=:height&limit=5',
  '/accounts/:account',
  '/accounts/:account/tokens',
  '/accounts/:treasury?height=:height',
  '/accounts/:treasury/tokens?height=:height',
  '/tokens',
  '/tokens/1',
  '/transactions',
  '/transactions?limit=100',
  '/transactions/:hash',
  '/transactions/:hash/status',
  '/movements/latest',
  '/exchange/markets',
  '/exchange/orderbook?market=9007199254740993',
  '/exchange/offers',
  '/release/list',
  '/registry/nodes',
  '/registry/archivals',
  '/registry/gateways',
  '/registry/relays',
].map(chain);

const OWN: readonly RequestKind[] = [
  own('/gateway/status'),
  own('/gateway/health/live'),
  own('/gateway/health/ready'),
  own('/gateway/system-stats'),
  own('/gateway/allowlist'),
  own('/admin', { authorization: `Bearer ${ADMIN_KEY}` }),
  own('/admin/state', { 'x-api-key': ADMIN_KEY }),
  { ...own('/gateway/allowlist/refresh', { 'x-api-key': ADMIN_KEY }), method: 'POST' },
  own('/relay/info'),
  own('/openapi.json'),
  own('/faucet'),
  { ...own('/', { accept: 'text/html' }), status: 307 },
  { ...own('/wallet'), status: 308 },
  own('/wallet/'),
  { ...own('/connect'), status: 308 },
  own('/connect/'),
  own('/install'),
  own('/releases/latest'),
  own('/releases/1.1.0/linux-amd64/'),
  own(`/dl/${DOWNLOAD}`),
  { ...own(`/dl/${DOWNLOAD}`, { range: 'bytes=100-199' }), status: 206 },
  own(`/verify?sha256=${'0'.repeat(64)}`),
  own('/verify', { accept: 'text/html' }),
];

const OF_ONE_NODE: readonly RequestKind[] = [
  { ...chain('/node/info'), host: 'full' },
  { ...chain('/node/info'), host: 'archival' },
  { ...chain('/transactions?limit=5'), host: 'full' },
  { ...chain('/blocks/:height'), host: 'archival' },
];

const REFUSED: readonly RequestKind[] = [
  { ...chain('/tokens/999'), status: 404 },
  { ...chain('/blocks/999999999'), status: 404 },
  { ...chain(`/transactions/${'ab'.repeat(32)}`), status: 404 },
  { ...chain(`/accounts/00000000${'ab'.repeat(32)}`), status: 404 },
  { ...chain('/no/such/route'), status: 404 },
  { ...chain('/transactions?limit=many'), status: 400 },
  { ...chain('/node/../info'), status: 400 },
  { ...chain('/node/info'), method: 'HEAD' },
  { ...chain('/node/info'), host: 'stranger', status: 403 },
  { ...own('/no-such-page'), status: 404 },
  { ...own('/dl/no-such-file'), status: 404 },
  { ...own('/admin/state'), status: 401 },
];

const ABANDONED: readonly RequestKind[] = [
  { ...chain('/blocks?from=999999999&wait_ms=5000'), abandoned: true },
  { ...own(`/dl/${LARGE_DOWNLOAD}`), abandoned: true },
];

/** All kinds are requested equally often. */
export const REQUEST_KINDS: readonly RequestKind[] = [
  ...READS,
  ...OWN,
  ...OF_ONE_NODE,
  ...REFUSED,
  ...ABANDONED,
];
