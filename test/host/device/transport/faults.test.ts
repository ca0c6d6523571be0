import { Signer } from '@zbc-signer/host';
import { GET_APP_VERSION } from '../../../../testkit/device/apdu.js';
import { FAULTS, type Fault } from '../../../../testkit/device/faulty-device.js';
import { FaultySession, type Outcome } from '../../../../testkit/device/faulty-session.js';

const MENU = ['ZBC Signer', 'is ready'];
/** The message has three chunks: of five reports, of five, and of two. */
const MESSAGE = Buffer.alloc(600, 'A message that is signed whatever happens on the way. ');
/** For `drop`, the numbers of reports that are lost in a row; the others as in Fault. */
const AMOUNTS: Record<Fault['kind'], number[]> = {
  drop: [1, 2, 1000],
  repeat: [0, 1, 2, 6],
  reorder: [1, 2, 5],
  truncate: [0, 2, 63],
  delay: [0.5, 3, 9],
  inject: [0],
};
/** Possible errors of a session; a reply assembled from others is never accepted. */
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

/** Runs a command with a fault at one position; then delivers all pending reports, and the user leaves. */
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

test('without a fault a message is signed, though the host asks meanwhile whether the review is open', async () => {
  const outcome = await session.outcomeOf(signer.signMessage(0, MESSAGE));
  expect(outcome).toMatchObject({ value: { signature: expect.any(Uint8Array) } });
  // The key takes 1 + 2 reports, header and chunks 1 + 1, 5 + 1, 5 + 1, 2 + 2, two questions 2 each.
  expect(session.device.position).toBe(25);
});

test.each([20, 60])(
  'a review of %d seconds is asked for on channels that leave its own alone',
  async seconds => {
    session.reviewMs = seconds * 1000;
    const outcome = await session.outcomeOf(signer.signMessage(0, MESSAGE));
    expect(outcome).toMatchObject({ value: { signature: expect.any(Uint8Array) } });
    expect(session.clock.now).toBeGreaterThanOrEqual(session.reviewMs);
  },
);

describe.each(Object.entries(COMMANDS))('%s', (_name, command: () => Promise<unknown>) => {
  test.each(FAULTS)('with %s at each report is right or an error, and the next command works', async kind => {
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
  });
});

test('a review whose host gave up is gone from the screen', async () => {
  // Report 3 is the reply to the host's first question.
  const outcome = await runWith(COMMANDS['the confirmation of an address'], { kind: 'drop', amount: 1 }, 2);
  expect(outcome).toMatchObject({ error: { code: 'REPLY_LOST' } });
  expect(session.emulator.texts()).toEqual(MENU);
});
