import { Signer } from '@zbc-signer/host';
import { GET_APP_VERSION } from '../../../../testkit/device/apdu.js';
import { FAULTS, type Fault } from '../../../../testkit/device/faulty-device.js';
import { FaultySession, type Outcome } from '../../../../testkit/device/faulty-session.js';

const MENU = ['ZBC Signer', 'is ready'];
/** A message that is sent in three chunks, of five, five and two reports. */
const MESSAGE = Buffer.alloc(600, 'A message that is signed whatever happens on the way. ');
/**
 * Amounts of each fault. For `drop`, the amount is the number of reports that are lost in a row; for the
 * others, see Fault.
 */
const AMOUNTS: Record<Fault['kind'], number[]> = {
  drop: [1, 2, 1000],
  repeat: [0, 1, 2, 6],
  reorder: [1, 2, 5],
  truncate: [0, 2, 63],
  delay: [0.5, 3, 9],
  inject: [0],
};
/**
 * Errors that a session may end with. A reply that is assembled from parts of others must never be accepted.
 */
const ERRORS = ['REPLY_LOST', 'INVALID_REPLY', 'BUSY', 'BAD_STATE', 'MALFORMED'];

let session: FaultySession;
let signer: Signer;
beforeEach(async () => {
  session = await FaultySession.start();
  signer = new Signer(session);
});
afterEach(() => session.end());

const COMMANDS = {
  'the signing of a message': () => signer.signMessage(0, MESSAGE),
  'the confirmation of an address': () => signer.getPublicKey(0, { confirm: true }),
};

/** Runs a command with a fault at one position. Then delivers all pending reports and ends the review. */
async function runWith<T>(
  command: () => Promise<T>,
  { kind, amount }: Fault,
  at: number,
): Promise<Outcome<T>> {
  const [start, length] = [session.device.position, kind === 'drop' ? amount : 1];
  session.faultAt = position =>
    position >= start + at && position < start + at + length ? { kind, amount } : undefined;
  const outcome = await session.outcomeOf(command());
  session.hasUser = false;
  await session.drain();
  session.hasUser = true;
  session.faultAt = () => undefined;
  return outcome;
}

test('without a fault a message is signed while the host asks whether the review is still open', async () => {
  const outcome = await session.outcomeOf(signer.signMessage(0, MESSAGE));
  expect(outcome).toMatchObject({ value: { signature: expect.any(Uint8Array) } });
  // Reports of the command and of its reply: the key 1 + 2, the header 1 + 1, the chunks 5 + 1, 5 + 1 and 2 +
  // 2, and two queries of 2 reports each.
  expect(session.device.position).toBe(25);
});

test.each([20, 60])(
  'asking whether a review of %d seconds is still open does not disturb its channel',
  async seconds => {
    session.reviewMs = seconds * 1000;
    const outcome = await session.outcomeOf(signer.signMessage(0, MESSAGE));
    expect(outcome).toMatchObject({ value: { signature: expect.any(Uint8Array) } });
    expect(session.clock.now).toBeGreaterThanOrEqual(session.reviewMs);
  },
);

describe.each(Object.entries(COMMANDS))('%s', (_name, command: () => Promise<unknown>) => {
  test.each(FAULTS)(
    'with %s at each report gives the right result or an error, and the next command works',
    async kind => {
      const right = await session.outcomeOf(command());
      const positions = session.device.position;
      for (const amount of AMOUNTS[kind]) {
        for (let at = 0; at < positions; at += 1) {
          const place = `${kind} ${amount} at report ${at}`;
          const outcome = await runWith(command, { kind, amount }, at);
          if (outcome === 'hung') throw new Error(`the host hangs after ${place}`);
          if ('value' in outcome) expect(outcome).toEqual(right);
          else
            expect([place, ERRORS.includes((outcome.error as { code?: string }).code ?? '')]).toEqual([
              place,
              true,
            ]);
          const next = await session.outcomeOf(session.exchange(GET_APP_VERSION));
          if (next === 'hung' || 'error' in next)
            throw new Error(`no reply to the next command after ${place}`);
          expect([place, Buffer.from(next.value).subarray(-2).toString('hex')]).toEqual([place, '9000']);
          expect([place, session.emulator.texts()]).toEqual([place, MENU]);
        }
      }
      expect(session.device.strays).toEqual([]);
    },
  );
});

test('a review disappears from the screen when its host gives up', async () => {
  // Position 2 is the third report: the reply to the host's first query.
  const outcome = await runWith(COMMANDS['the confirmation of an address'], { kind: 'drop', amount: 1 }, 2);
  expect(outcome).toMatchObject({ error: { code: 'REPLY_LOST' } });
  expect(session.emulator.texts()).toEqual(MENU);
});
