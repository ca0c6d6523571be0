// Signs a transfer through the REST API like clients of Speculos, with one request for each command and
// button press.
// The screen is polled as fast as responses arrive.
import { startEmulatorServer } from '@zbc-signer/emulator';
import { signTransaction } from '../testkit/device/apdu.js';
import { transactions } from '../testkit/repository/vectors.js';
import { median } from '../testkit/time/median.js';

const RUNS = 60;
const WARMING_UP = 5;
const APPROVE = 'approve: press both';

/** The fields that this benchmark reads from responses of the REST API. */
interface Answer {
  data: string;
  events: { text: string }[];
}

interface RestSigning {
  medianMs: number;
  pages: number;
  requests: number;
}

/** The median time of signing one transfer, not counting the first WARMING_UP runs. */
export async function measureRestSigning(): Promise<RestSigning> {
  const server = await startEmulatorServer({ apiPort: 'auto', apduPort: 0, ledgerPort: 0 });
  const times: number[] = [];
  let counted = { pages: 0, requests: 0 };
  for (let run = 0; run < RUNS + WARMING_UP; run++) {
    const start = performance.now();
    counted = await signOnce(server.api);
    if (run >= WARMING_UP) times.push(performance.now() - start);
  }
  await server.close();
  return { medianMs: median(times), ...counted };
}

async function signOnce(api: string): Promise<{ pages: number; requests: number }> {
  let requests = 0;
  const call = async (path: string, body?: object) => {
    requests++;
    const request = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${api}/${path}`, request);
    return (await response.json()) as Answer;
  };
  const apdus = signTransaction(transactions.cases[0]!).map(apdu => Buffer.from(apdu).toString('hex'));
  for (const data of apdus.slice(0, -1)) await call('apdu', { data });
  const signed = call('apdu', { data: apdus.at(-1) });
  const press = (button: string) => call(`button/${button}`, { action: 'press-and-release' });
  const texts = async (): Promise<string[]> =>
    (await call('events?currentscreenonly=true')).events.map(({ text }) => text);
  let pages = 1;
  // The device shows its menu until the last command has arrived.
  for (let shown = await texts(); shown[1] !== APPROVE; shown = await texts()) {
    if (shown[0] === 'ZBC Signer') continue;
    await press('right');
    pages++;
  }
  await press('both');
  const { data } = await signed;
  if (data.length !== 196)
    throw new Error(`the reply has ${data.length / 2} bytes, but 98 bytes were expected`);
  return { pages, requests };
}
