import { getPublicKey, signMessage, signTransaction } from '../../testkit/device/apdu.js';
import { BareDevice } from '../../testkit/device/bare-device.js';
import { transactions } from '../../testkit/repository/vectors.js';

const BOTH = 3;
const STATIC_BYTES = 24576;
const plainSend = transactions.cases[0]!;

/** A device on the approve page. */
async function waiting(apdus: Uint8Array[]): Promise<BareDevice> {
  const device = await BareDevice.start();
  device.send(apdus);
  device.walk();
  return device;
}

/** The device's reply without a fault, in hex. */
async function released(apdus: Uint8Array[]): Promise<string> {
  return (await waiting(apdus)).press(BOTH);
}

/** The reply, or the platform's answer after a trap. */
function pressed(device: BareDevice): string {
  try {
    return device.press(BOTH);
  } catch {
    return '6f00';
  }
}

/** Addresses whose bytes differ between a review and an idle device. */
async function liveBytes(apdus: Uint8Array[]): Promise<number[]> {
  const [idle, reviewing] = [await BareDevice.start(), await waiting(apdus)];
  const all = Array.from({ length: STATIC_BYTES }, (_, at) => at);
  return all.filter(at => idle.memory[at] !== reviewing.memory[at]);
}

test.each([
  ['an address', [getPublicKey(0, true)]],
  ['a transaction', signTransaction(plainSend)],
  ['a message', signMessage(0, Buffer.from('hello'))],
])(
  'a bit flipped while %s waits for approval leads to the correct output or to no output',
  async (_what, apdus) => {
    const [right, live] = [await released(apdus), await liveBytes(apdus)];
    const outcomes = new Map<string, number>();
    const device = await BareDevice.start();
    const idle = device.memory.slice();
    const wait = () => {
      device.memory.set(idle);
      device.send(apdus);
      device.walk();
      return device.memory.slice();
    };
    let waiting = wait();
    for (let bit = 0; bit < 8 * live.length; bit++) {
      device.memory.set(waiting);
      device.memory[live[bit >> 3]!]! ^= 1 << (bit & 7);
      const reply = pressed(device);
      outcomes.set(reply, (outcomes.get(reply) ?? 0) + 1);
      // After 6f00, the reply to a trap, the module has stopped. After any other reply, it runs on.
      if (reply !== '6f00') waiting = wait();
    }
    expect([...outcomes.keys()].filter(reply => reply !== right)).toEqual(['6f00']);
    expect(outcomes.get('6f00')).toBeGreaterThan(500);
  },
);

test('an address confirmation never releases a signature, whatever kind of review its memory holds', async () => {
  const right = await released([getPublicKey(0, true)]);
  const device = await BareDevice.start();
  device.command(getPublicKey(0, true));
  const state = Buffer.from(device.memory.slice(0, STATIC_BYTES));
  const at = state.indexOf(Buffer.from('3c3c3c3c', 'hex'));
  expect(at).toBeGreaterThan(0);
  device.walk();
  const snapshot = device.memory.slice();
  for (const review of ['5a5a5a5a', '66666666', '00000000', '3c3c3c3d', '3c3c3c3c']) {
    device.memory.set(snapshot);
    device.memory.set(Buffer.from(review, 'hex'), at);
    expect(pressed(device)).toBe(review === '3c3c3c3c' ? right : '6f00');
  }
});
