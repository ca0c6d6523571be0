// Draws docs/gateway/admin.png: the admin page in Chromium, with an hour of invented data.
import { writeFileSync } from 'node:fs';
import { startDevnet } from '@zbc-signer/devnet';
import { launchChromium } from '../chromium.js';

const output = new URL('../../../docs/gateway/admin.png', import.meta.url);

const STEPS = 120;
const KEY = 'k'.repeat(43);

/** Returns a reproducible number from 0 to 1 for a seed. */
function random(seed: number): number {
  const x = Math.sin(seed * 127.1) * 43_758.5453;
  return x - Math.floor(x);
}

const steps = (value: (step: number) => number) => Array.from({ length: STEPS }, (_, step) => value(step));
const load = (step: number) => 620 + 260 * Math.sin(step / 17) + 120 * random(step);
const isSlow = (step: number) => step > 70 && step < 82;
const node = (
  ip: string,
  height: (step: number) => number | null,
  latency: (step: number) => number | null,
) => ({
  ip,
  port: 8884,
  heights: Array.from({ length: STEPS }, (_, step) => height(step)),
  latencies_ms: Array.from({ length: STEPS }, (_, step) => latency(step)),
});
const grown = (step: number) => 184_210 + 2 * step;
const NODES = [
  node('192.0.2.10', grown, step => 2 + 2 * random(step)),
  node('192.0.2.11', grown, step => (isSlow(step) ? 60 + 80 * random(step) : 4 + 3 * random(step))),
  node(
    '192.0.2.12',
    step => (step > 95 && step < 104 ? null : Math.min(grown(step), 184_330 + 2 * Math.max(0, step - 104))),
    step => (step > 95 && step < 104 ? null : 9 + 6 * random(step)),
  ),
];

const HISTORY = {
  step_seconds: 30,
  answers: {
    2: steps(step => Math.round(load(step))),
    3: steps(step => Math.round(load(step) * 0.14 * random(step + 7))),
    4: steps(step => Math.round(20 + 30 * random(step + 3))),
    5: steps(step => (isSlow(step) ? Math.round(70 * random(step + 9)) : 0)),
  },
  p50_ms: steps(step => 1.8 + 0.7 * random(step)),
  p99_ms: steps(step => (isSlow(step) ? 90 + 160 * random(step) : 11 + 9 * random(step))),
  cache_reads: {
    hit: steps(step => Math.round(load(step) * 0.46)),
    shared: steps(step => Math.round(12 * random(step + 5))),
    miss: steps(step => Math.round(load(step) * (0.04 + 0.05 * random(step + 1)))),
  },
  nodes: NODES,
};

const devnet = await startDevnet({ blockTimeMs: 200, namedChain: true });
const browser = await launchChromium();
const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1180, height: 800 } });
await page.route('**/admin/state', route =>
  route.fulfill({
    json: {
      gateway: {
        domain: 'gateway.example',
        mode: 'private',
        version: '1.0.0',
        uptime_seconds: 400_000,
        genesis_hash: 'c0'.repeat(32),
      },
      nodes: NODES.map(({ ip, port, heights, latencies_ms }, index) => ({
        ip,
        port,
        role: index === 0 ? 'archival' : 'full',
        source: 'static',
        answers: true,
        routed: index < 2,
        broken: false,
        cordoned: false,
        genesis_hash: 'c0'.repeat(32),
        height: `${heights.at(-1)}`,
        ...(index === 2 && { behind: '88' }),
        latency_ms: latencies_ms.at(-1),
        requests: 21_000 - 6000 * index,
        failures: [0, 44, 3][index],
        running: 0,
      })),
      traffic: {
        requests: 4_410_000,
        answers: { 2: 4_300_000, 4: 109_000, 5: 1000 },
        bytes_out: 3.2e9,
        reads: { hedged: 0, verified: 0, disagreed: 0 },
      },
      history: HISTORY,
      system: {
        cpu: { count: 4, load_average: [0.9, 0.7, 0.6], usage_percent: 21.4 },
        memory: { total_bytes: 8e9, free_bytes: 5e9, process_bytes: 1.4e8 },
        disk: { total_bytes: 8e10, free_bytes: 6e10 },
        uptime: { system_seconds: 900_000, process_seconds: 400_000 },
      },
    },
  }),
);
await page.goto(`${devnet.url}/admin`);
await page.getByLabel('Admin key').fill(KEY);
await page.keyboard.press('Enter');
await page.locator('#node-pictures li').first().waitFor();
await page.evaluate('document.activeElement.blur()');
writeFileSync(output, await page.screenshot());
await browser.close();
await devnet.stop();
