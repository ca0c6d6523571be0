import { chainBackedRoute, errors, file, json, jsonBody, ownRoute, type Paths } from './operation.js';
import {
  ATOMS,
  COUNT,
  described,
  FLAG,
  HASH,
  IPV4,
  listOf,
  NUMBER,
  oneOf,
  PORT,
  record,
  ref,
  TEXT,
  TOKEN_ID,
  UINT64,
} from './schema.js';

const NODE = { ip: IPV4, port: PORT, role: oneOf('full', 'archival'), answers: FLAG };
const ROUTED = described('Whether requests go to it', FLAG);

export const GATEWAY_SCHEMAS = {
  Error: record({
    success: { type: 'boolean', const: false },
    error: TEXT,
    code: described('The status', COUNT),
  }),
  SystemStats: record({
    cpu: record({ count: COUNT, load_average: listOf(NUMBER), usage_percent: NUMBER }),
    memory: record({ total_bytes: UINT64, free_bytes: UINT64, process_bytes: UINT64 }),
    disk: record({ total_bytes: UINT64, free_bytes: UINT64 }),
    uptime: record({ system_seconds: UINT64, process_seconds: UINT64 }),
  }),
  AdmittedNode: record({ ...NODE, source: oneOf('static', 'admin', 'registry') }),
};

const NO_FAUCET = errors({ 404: 'Not a development gateway' });

const NO_WALLET = errors({ 404: 'The gateway serves no wallet' });

export const GATEWAY_PATHS: Paths = {
  '/gateway/status': {
    get: ownRoute({
      operationId: 'gatewayStatus',
      summary: 'Status of the gateway and its nodes, without chain data',
      answers: {
        200: json(
          'The gateway',
          record({
            mode: oneOf('public', 'private'),
            domain: TEXT,
            version: TEXT,
            uptime_seconds: UINT64,
            allowlisted: COUNT,
            answering: COUNT,
            nodes: listOf(record({ ...NODE, routed: ROUTED })),
          }),
        ),
      },
    }),
  },
  '/gateway/health/live': {
    get: ownRoute({
      operationId: 'live',
      summary: 'Whether the process answers',
      answers: { 200: json('It does', record({ live: FLAG })) },
    }),
  },
  '/gateway/health/ready': {
    get: ownRoute({
      operationId: 'ready',
      summary: 'Whether a node is there to answer requests',
      answers: {
        200: json('There is', record({ ready: FLAG })),
        ...errors({ 503: 'No node is available; see Retry-After' }),
      },
    }),
  },
  '/gateway/system-stats': {
    get: ownRoute({
      operationId: 'systemStats',
      summary: 'CPU, memory, disk and uptime of the machine',
      answers: {
        200: json('The machine', ref('SystemStats')),
      },
    }),
  },
  '/relay/info': {
    get: ownRoute({
      operationId: 'relayInfo',
      summary: 'The relay of this gateway',
      description: 'Compare genesis_hash with that of your own node before you pay.',
      answers: {
        200: json(
          'The relay',
          record({ address: TEXT, rate: described('Atomic units a megabyte', UINT64), genesis_hash: HASH }),
        ),
        ...errors({ 404: 'This gateway has no relay' }),
      },
    }),
  },
  '/openapi.json': {
    get: ownRoute({
      operationId: 'openapi',
      summary: 'This document',
      answers: { 200: json('OpenAPI 3.1', { type: 'object' }) },
    }),
  },
  '/faucet': {
    get: chainBackedRoute({
      operationId: 'faucetPage',
      summary: 'Faucet page of a development network',
      answers: { 200: file('The page', 'text/html'), ...NO_FAUCET },
    }),
    post: chainBackedRoute({
      operationId: 'faucet',
      summary: 'Send coins and tokens of a development network to an address',
      requestBody: jsonBody(record({ address: TEXT })),
      answers: {
        200: json(
          'Paid, and confirmed in a block',
          record({
            success: { type: 'boolean', const: true },
            amount: ATOMS,
            transaction_hash: HASH,
            tokens: listOf(record({ token_id: TOKEN_ID, amount: ATOMS, transaction_hash: HASH })),
            block_height: UINT64,
          }),
        ),
        ...NO_FAUCET,
      },
    }),
  },
  '/wallet': {
    get: ownRoute({
      operationId: 'walletRedirect',
      summary: 'Redirects to the wallet page',
      answers: { 308: { description: 'To /wallet/' }, ...NO_WALLET },
    }),
  },
  '/wallet/': {
    get: ownRoute({
      operationId: 'walletPage',
      summary: 'The wallet page',
      answers: {
        200: file('The page', 'text/html'),
        304: { description: 'The page has not changed' },
        ...NO_WALLET,
      },
    }),
  },
};
