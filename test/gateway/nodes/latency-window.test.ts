import { LatencyWindow } from '#gateway/nodes/latency-window.js';

test('a latency window has a 95th percentile once it has seen 32 answers', () => {
  const latencies = new LatencyWindow();
  for (let count = 1; count <= 31; count += 1) latencies.add(count);
  expect(latencies.p95Ms).toBeUndefined();
  latencies.add(32);
  // The percentile is the 30th value of 1 to 32.
  expect(latencies.p95Ms).toBe(30);
  for (let count = 0; count < 128; count += 1) latencies.add(5);
  expect(latencies.p95Ms).toBe(5);
});
