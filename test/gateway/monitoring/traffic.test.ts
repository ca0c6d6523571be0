import { Traffic } from '#gateway/monitoring/traffic.js';

const full = { ip: '192.0.2.1', port: 8884, role: 'full' } as const;
const archival = { ip: '192.0.2.2', port: 8885, role: 'archival' } as const;

test('counts answers, and requests to each node and role', () => {
  const traffic = new Traffic();
  traffic.countAnswer(200, 5);
  traffic.countAnswer(404, 7);
  traffic.countRequest(full);
  traffic.countAnswer(204, 11);
  traffic.countRequest(full);
  traffic.countFailure(full);
  traffic.countRequest(archival);
  traffic.countEnd(full);
  traffic.countHedge();
  traffic.countHedge();
  expect(traffic.counts()).toEqual({
    requests: 3,
    answers: { 1: 0, 2: 2, 3: 0, 4: 1, 5: 0 },
    bytesOut: 23,
    nodes: [
      { ip: '192.0.2.1', port: 8884, requests: 2, failures: 1, running: 1 },
      { ip: '192.0.2.2', port: 8885, requests: 1, failures: 0, running: 1 },
    ],
    hedged: 2,
    roles: { full: { requests: 2, failures: 1 }, archival: { requests: 1, failures: 0 } },
  });
});
