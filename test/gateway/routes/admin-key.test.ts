import { ask, KEY, limitedApp } from '../../../testkit/gateway/limited-app.js';

const app = limitedApp({ rate_limit: { requests: 0, writes: 0 } });
afterAll(() => app.close());

test.each([{ authorization: `Bearer ${KEY}` }, { authorization: `bearer ${KEY}` }, { 'x-api-key': KEY }])(
  'accepts the headers %j',
  async headers => {
    expect((await ask(app, 'POST', '/admin', headers)).status).toBe(200);
  },
);

describe('a client that guesses keys', () => {
  const guess = (client: string) => ask(app, 'POST', '/admin', { client, 'x-api-key': 'a guess' });

  test('is answered 429 after ten failures, unlike other clients', async () => {
    const statuses = [];
    for (let count = 0; count < 12; count += 1) statuses.push((await guess('203.0.113.1')).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    const last = await guess('203.0.113.1');
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(50);
    expect((await guess('203.0.113.2')).status).toBe(401);
  });

  test('is accepted with the valid key, even from the same address', async () => {
    for (let count = 0; count < 11; count += 1) await guess('203.0.113.3');
    const answer = await ask(app, 'POST', '/admin', { client: '203.0.113.3', 'x-api-key': KEY });
    expect(answer.status).toBe(200);
  });
});
