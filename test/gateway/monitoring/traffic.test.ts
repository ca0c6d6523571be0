import { sumTraffic, Traffic } from '#gateway/monitoring/traffic.js';

const full = { ip: '192.0.2.1', port: 8884, role: 'full' } as const;
const archival = { ip: '192.0.2.2', port: 8885, role: 'archival' } as const;

it('sums the counts of several processes', () => {
  const [one, two] = [new Traffic(), new Traffic()];
  one.countAnswer(200, 5);
  one.countAnswer(404, 7);
  one.countRequest(full);
  two.countAnswer(204, 11);
  two.countRequest(full);
  two.countFailure(full);
  two.countRequest(archival);
  two.countEnd(full);
  one.countRead('hedged');
  two.countRead('hedged');
  expect(sumTraffic([one.counts(), two.counts()])).toEqual({
    requests: 3,
    answers: { 1: 0, 2: 2, 3: 0, 4: 1, 5: 0 },
    bytesOut: 23,
    nodes: [
      { ip: '192.0.2.1', port: 8884, requests: 2, failures: 1, running: 1 },
      { ip: '192.0.2.2', port: 8885, requests: 1, failures: 0, running: 1 },
    ],
    reads: { hedged: 2 },
    roles: { full: { requests: 2, failures: 1 }, archival: { requests: 1, failures: 0 } },
  });
});
