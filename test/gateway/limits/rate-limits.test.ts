import { jest } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { ask, limitedApp } from '../../../testkit/gateway/limited-app.js';

const limits = (requests: number, writes: number) => ({
  rate_limit: { requests, writes },
});

let app: FastifyInstance;
let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
});

test('reports the limit of a client in headers and rejects requests above it', async () => {
  app = limitedApp(limits(2, 0));
  const first = await ask(app, 'GET', '/open');
  expect(first).toMatchObject({
    status: 200,
    headers: { 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' },
  });
  expect(first.headers).not.toHaveProperty('retry-after');
  expect((await ask(app, 'POST', '/open')).headers['ratelimit-remaining']).toBe('0');
  const third = await ask(app, 'GET', '/open');
  expect(third.status).toBe(429);
  expect(third.body).toEqual({
    success: false,
    error: expect.stringMatching(
      /^Too many requests from your address: 2 allowed in 60 seconds; retry in 60 seconds$/,
    ),
    code: 429,
  });
  expect(third.headers).toMatchObject({
    'ratelimit-limit': '2',
    'ratelimit-remaining': '0',
    'retry-after': '60',
  });
});

test('counts unknown routes, separately for each client', async () => {
  app = limitedApp(limits(1, 0));
  expect((await ask(app, 'GET', '/nothing')).status).toBe(404);
  expect((await ask(app, 'GET', '/nothing')).status).toBe(429);
  expect((await ask(app, 'GET', '/open', { client: '198.51.100.2' })).status).toBe(200);
  expect((await ask(app, 'GET', '/open', { client: '2001:db8::1' })).status).toBe(200);
  expect((await ask(app, 'GET', '/open', { client: '2001:db8::ffff' })).status).toBe(429);
});

test('limits writes separately and reports the nearer limit', async () => {
  app = limitedApp(limits(5, 2));
  expect((await ask(app, 'POST', '/open')).headers).toMatchObject({
    'ratelimit-limit': '2',
    'ratelimit-remaining': '1',
  });
  await ask(app, 'POST', '/open');
  const refused = await ask(app, 'POST', '/open');
  expect(refused).toMatchObject({ status: 429, headers: { 'ratelimit-limit': '2' } });
  expect(refused.body).toMatchObject({ error: expect.stringContaining('Too many writes') });
  expect((await ask(app, 'GET', '/open')).status).toBe(200);
  expect((await ask(app, 'GET', '/open')).status).toBe(200);
  expect((await ask(app, 'GET', '/open')).status).toBe(429);
});

test('limits no client for longer when the clock is set back', async () => {
  app = limitedApp({ rate_limit: { requests: 1, writes: 0 } });
  expect((await ask(app, 'GET', '/open')).status).toBe(200);
  const now = Date.now;
  Date.now = () => now() - 3_600_000;
  try {
    const limited = await ask(app, 'GET', '/open');
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '60']);
    nowMs += 60_000;
    expect((await ask(app, 'GET', '/open')).status).toBe(200);
  } finally {
    Date.now = now;
  }
});

test('can limit only writes', async () => {
  app = limitedApp(limits(0, 1));
  expect((await ask(app, 'GET', '/open')).headers).not.toHaveProperty('ratelimit-limit');
  expect((await ask(app, 'POST', '/open')).status).toBe(200);
  expect((await ask(app, 'POST', '/open')).status).toBe(429);
});

test('does nothing without limits', async () => {
  app = limitedApp(limits(0, 0));
  for (let count = 0; count < 50; count += 1) {
    const { status, headers } = await ask(app, 'POST', '/open');
    expect(status).toBe(200);
    expect(Object.keys(headers).join()).not.toContain('ratelimit');
  }
});
