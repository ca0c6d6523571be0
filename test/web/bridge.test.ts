import { createHmac } from 'node:crypto';
import { Signer } from '@zbc-signer/host';
import { WebDevices } from '@zbc-signer/web';

const KEY = '5a'.repeat(32);
const PAIRING = { pairing: '01'.repeat(16), key: KEY };
const SESSION = '02'.repeat(16);
/** The status word of a device that does not know the instruction. */
const REPLY = '6d00';

const mac = (...parts: (string | number)[]) =>
  createHmac('sha256', Buffer.from(KEY, 'hex')).update(parts.join('\n')).digest('hex');

type Body = Record<string, string & number>;

/** A bridge that answers as docs/BRIDGE.md#requests says. */
class ModelBridge {
  readonly counters: number[] = [];
  pairing: object = PAIRING;

  opened({ nonce }: Body): object {
    return { session: SESSION, code: mac('opened', nonce!, SESSION) };
  }

  exchanged({ session, counter }: Body): object {
    this.counters.push(counter!);
    return { reply: REPLY, code: mac('reply', session!, counter!, REPLY) };
  }

  answer(path: string, body: Body): object {
    if (path === '/pair') return this.pairing;
    return path === '/open' ? this.opened(body) : this.exchanged(body);
  }
}

const openChannel = () => ({ postMessage() {}, addEventListener() {}, close() {} });

function devicesAt(bridge: ModelBridge): WebDevices {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const fetch = async (url: unknown, init?: RequestInit) =>
    Response.json(bridge.answer(new URL(`${url}`).pathname, JSON.parse(`${init?.body}`) as Body));
  return new WebDevices({ browser: { fetch: fetch as never, storage: storage as never, openChannel } });
}

async function signerBehind(bridge: ModelBridge): Promise<Signer> {
  const devices = devicesAt(bridge);
  await devices.bridge.pair('1234');
  return new Signer(devices.bridged().open());
}

const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'an answer',
    ({ code }) => code,
  );

test('each request of a session has the next number', async () => {
  const bridge = new ModelBridge();
  const signer = await signerBehind(bridge);
  const outcomes = [await codeOf(signer.getVersion()), await codeOf(signer.getVersion())];
  expect(outcomes).toEqual(['WRONG_APP', 'WRONG_APP']);
  expect(bridge.counters).toEqual([1, 2]);
});

test.each<[string, Partial<ModelBridge>]>([
  ['opens a session', { opened: () => ({ session: SESSION, code: '00'.repeat(32) }) }],
  [
    'opens a session for an earlier nonce',
    { opened: () => ({ session: SESSION, code: mac('opened', '', SESSION) }) },
  ],
  ['replies', { exchanged: () => ({ reply: REPLY, code: '00'.repeat(32) }) }],
  [
    'repeats an earlier reply',
    {
      exchanged: ({ session, counter }) => ({
        reply: REPLY,
        code: mac('reply', session!, counter! - 1, REPLY),
      }),
    },
  ],
])('a program that %s without the key is not believed', async (_what, changes) => {
  const signer = await signerBehind(Object.assign(new ModelBridge(), changes));
  expect(await codeOf(signer.getVersion())).toBe('INVALID_REPLY');
});

test.each([{ ...PAIRING, key: '5a' }, { ...PAIRING, pairing: '01' }, { ...PAIRING, key: 7 }, {}])(
  'the pairing %p is not stored',
  async pairing => {
    const devices = devicesAt(Object.assign(new ModelBridge(), { pairing }));
    expect(await codeOf(devices.bridge.pair('1234'))).toBe('INVALID_REPLY');
    expect(devices.bridge.isPaired).toBe(false);
  },
);
