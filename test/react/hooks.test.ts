import { Emulator } from '@zbc-signer/emulator';
import { GatewayClient, type PendingPayment, type Transport } from '@zbc-signer/host';
import { SignerProvider, useActivity, useReview, useSend, useSigner } from '@zbc-signer/react';
import { parseHTML } from 'linkedom';
import { createElement, Fragment, type ReactNode, StrictMode, useEffect } from 'react';
import type { createRoot, Root } from 'react-dom/client';
import { answer } from '../../testkit/gateway/fake-gateway.js';
import * as flow from '../../testkit/gateway/flow-fixture.js';
import { until } from '../../testkit/time/until.js';

const pause = () => new Promise(resolve => setTimeout(resolve, 20));

/** The values of the hooks at the latest render of a component. */
class Seen {
  signer!: ReturnType<typeof useSigner>;
  review!: ReturnType<typeof useReview>;
  send!: ReturnType<typeof useSend>;
  activity!: ReturnType<typeof useActivity>;
  renders = 0;
  /** Whether the device was ever lost. */
  wasLost = false;

  readonly Probe = (): ReactNode => {
    Object.assign(this, { signer: useSigner(), review: useReview(), send: useSend() });
    this.activity = useActivity(flow.OWN.address);
    this.renders += 1;
    this.wasLost ||= this.signer.state === 'lost';
    return null;
  };
}

let emulator: Emulator;
let fixture: flow.FlowFixture;
let create: typeof createRoot;
let container: () => Element;
let roots: Root[];
let opened: number;
let closed: number;
/** The gateway gets a broadcast only after this promise has resolved. */
let beforeBroadcast: Promise<void>;

beforeEach(async () => {
  const { window, document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
    window: object;
    document: { body: { appendChild(child: Element): Element }; createElement(name: string): Element };
  };
  for (const [name, value] of Object.entries({ window, document, navigator: { userAgent: '' } })) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  create = (await import('react-dom/client')).createRoot;
  container = () => document.body.appendChild(document.createElement('div'));
  emulator = await Emulator.start();
  fixture = await flow.FlowFixture.start();
  fixture.gateway.on(flow.LIST, answer('{"transactions":[]}'));
  [roots, opened, closed, beforeBroadcast] = [[], 0, 0, Promise.resolve()];
});

afterEach(async () => {
  for (const root of roots) root.unmount();
  await until(() => closed === opened);
  emulator.stop();
  await fixture.gateway.stop();
});

function openDevice(): Transport {
  const transport = emulator.transport();
  opened += 1;
  let isOpen = true;
  return {
    exchange: (apdu, signal) => transport.exchange(apdu, signal),
    close: () => {
      if (isOpen) closed += 1;
      isOpen = false;
      transport.close();
    },
  };
}

const count = (route: string) => fixture.gateway.routes.filter(each => each === route).length;

function inProvider(children: ReactNode): ReactNode {
  const gateway = new GatewayClient(fixture.url, {
    fetch: async (input, init) => {
      if (init?.method === 'POST') await beforeBroadcast;
      return fetch(input, init);
    },
  });
  const provider = createElement(SignerProvider, { gateway, journal: fixture.journal }, children);
  return createElement(StrictMode, null, provider);
}

/** Renders a component that shows all hooks for each of `all`, and waits until it is mounted. */
async function mount(
  all: readonly Seen[],
  show = ({ Probe }: Seen): ReactNode => createElement(Probe),
): Promise<Root> {
  const root = create(container());
  roots.push(root);
  root.render(inProvider(createElement(Fragment, null, ...all.map(each => show(each)))));
  await until(() => all.every(({ renders }) => renders > 0));
  return root;
}

async function mountReady(seen: Seen, open: () => Transport = openDevice): Promise<Root> {
  const root = await mount([seen]);
  seen.signer.connect(open);
  await until(() => seen.signer.state === 'ready');
  return root;
}

// The gateway expects the transaction hash of the vector.
const pay = ({ send }: Pick<Seen['send'], 'send'>) =>
  send(flow.sendDraft(), { clock: fixture.clock(flow.SENT.timestamp), antiExfil: 'off' });

async function payUntilReview(seen: Seen): Promise<void> {
  pay(seen.send);
  await until(() => seen.review.isOpen && emulator.reviewing);
}

test('connects, reads and pays once, with two components and strict mode, which runs every effect twice', async () => {
  const both = [new Seen(), new Seen()] as const;
  let effects = 0;
  function Hasty({ seen }: { seen: Seen }) {
    const { state, connect } = useSigner();
    const { state: sending, send } = useSend();
    useEffect(() => {
      effects += 1;
      connect(openDevice);
    }, [connect]);
    useEffect(() => {
      if (state === 'ready' && sending === 'idle') pay({ send });
    }, [state, sending, send]);
    return createElement(seen.Probe);
  }
  await mount(both, seen => createElement(Hasty, { seen }));
  await until(() => both.every(({ review }) => review.isOpen) && emulator.reviewing);
  // The host reads the list of transactions once more before it asks the device.
  expect([effects, count(flow.LIST)]).toEqual([4, 2]);
  expect(both[1].review.items).toBe(both[0].review.items);
  expect(both[0].review.items).toEqual(await emulator.review());
  expect(pay(both[0].send)).toBe(false);
  await emulator.approve();
  await until(() => both.every(({ send }) => send.state === 'sent') && count(flow.LIST) === 3);
  expect([opened, closed, count(flow.POST), emulator.reviewing]).toEqual([1, 0, 1, false]);
});

test('shows why no device was opened, opens one during the click event, and closes it', async () => {
  const seen = new Seen();
  await mount([seen]);
  pay(seen.send);
  await until(() => seen.send.state === 'error');
  expect(seen.send).toMatchObject({ error: { code: 'SESSION_CLOSED' }, sent: 'no' });
  const error = new Error('no device was chosen');
  seen.signer.connect(() => Promise.reject(error));
  await until(() => seen.signer.error === error && seen.signer.state === 'none');
  seen.signer.connect(openDevice);
  expect(opened).toBe(1);
  await until(() => seen.signer.state === 'ready');
  expect(seen.signer.version?.locked).toBe(false);
  seen.signer.disconnect();
  await until(() => seen.signer.state === 'none');
  expect([closed, seen.signer.version, seen.signer.signer]).toEqual([1, undefined, undefined]);
});

test('closes the device of an unmounted provider, also one that is opened after it', async () => {
  const [first, second] = [new Seen(), new Seen()];
  (await mountReady(first)).unmount();
  await until(() => closed === 1);
  const root = await mount([second]);
  let choose = (_: Transport) => {};
  second.signer.connect(() => new Promise(resolve => (choose = resolve)));
  await until(() => second.signer.state === 'connecting');
  root.unmount();
  await pause();
  choose(openDevice());
  await until(() => closed === 2);
  second.signer.connect(openDevice);
  await until(() => closed === 3);
});

test.each([true, false])(
  'sends nothing after a cancelled review, with a transport that obeys signals: %p',
  async obeys => {
    const seen = new Seen();
    await mountReady(seen, () => {
      const { exchange, close } = openDevice();
      return { exchange: (apdu, signal) => exchange(apdu, obeys ? signal : undefined), close };
    });
    await payUntilReview(seen);
    seen.review.cancel();
    if (!obeys) {
      await pause();
      expect(seen.review.isOpen).toBe(true);
      await emulator.approve();
    }
    await until(() => seen.send.state === 'error' && seen.signer.state === 'ready');
    expect(seen.send).toMatchObject({ error: { code: 'ABORTED' }, sent: 'no' });
    expect([emulator.reviewing, opened, count(flow.POST)]).toEqual([false, 1, 0]);
  },
);

test('cancels nothing after the user has approved, while the device is polled for its state', async () => {
  const seen = new Seen();
  let isDecided = false;
  await mountReady(seen, () => {
    const transport = openDevice();
    const exchange: Transport['exchange'] = (apdu, signal) => {
      if (isDecided) seen.review.cancel();
      return transport.exchange(apdu, signal);
    };
    return { ...transport, exchange };
  });
  seen.signer.signer!.subscribe(({ type }) => (isDecided ||= type === 'decided'));
  pay(seen.send);
  await until(() => seen.send.state === 'sending' && seen.send.event?.step === 'review');
  seen.send.clear();
  expect(pay(seen.send)).toBe(false);
  await emulator.approve();
  await until(() => seen.send.state === 'sent' && seen.signer.state === 'ready');
  const outcome = seen.send.state === 'sent' ? seen.send.outcome : undefined;
  expect([isDecided, seen.wasLost, outcome?.status]).toEqual([true, false, 'confirmed']);
  seen.send.clear();
  await until(() => seen.send.state === 'idle');
});

test('continues the payment of an unmounted component, and ends the review of an unmounted provider', async () => {
  const [first, next] = [new Seen(), new Seen()];
  const root = await mountReady(first);
  await payUntilReview(first);
  root.render(inProvider(null));
  await pause();
  root.render(inProvider(createElement(next.Probe)));
  await until(() => next.renders > 0);
  expect([next.send.state, next.review.isOpen]).toEqual(['sending', true]);
  root.unmount();
  await until(() => closed === 1 && !emulator.reviewing);
  expect([await fixture.journal.pending(), count(flow.POST)]).toEqual([[], 0]);
});

test('keeps a signed payment in the journal if the provider is unmounted, and the next provider shows it', async () => {
  const [first, next] = [new Seen(), new Seen()];
  const root = await mountReady(first);
  let broadcast = () => {};
  beforeBroadcast = new Promise(resolve => (broadcast = resolve));
  pay(first.send);
  await emulator.approve();
  await until(() => first.send.state === 'sending' && first.send.event?.step === 'submitting');
  root.unmount();
  await mount([next]);
  await until(() => closed === 1 && next.activity.unsettled.length === 1);
  expect(count(flow.POST)).toBe(0);
  broadcast();
  await until(async () => (await fixture.journal.pending()).length === 0);
  await next.activity.refresh();
  await until(() => next.activity.unsettled.length === 0);
  expect(count(flow.POST)).toBe(1);
});

test('reports that a payment with an unknown outcome may have been made, resumes it once, and then loses the device', async () => {
  fixture.gateway.on(flow.POST, 'drop').on(flow.STATUS, flow.NOT_FOUND);
  const seen = new Seen();
  await mountReady(seen);
  pay(seen.send);
  await emulator.approve();
  await until(() => seen.send.state === 'error' && seen.activity.unsettled.length === 1);
  expect(seen.send).toMatchObject({ error: { code: 'BROADCAST_UNCERTAIN' }, sent: 'maybe' });

  fixture.gateway.on(flow.POST, flow.receipt()).on(flow.STATUS, flow.NOT_FOUND, flow.stage('confirmed'));
  const asked = count(flow.INFO);
  const resumed = [seen.activity.resume(), seen.activity.resume()];
  await until(() => seen.activity.isResuming);
  await Promise.all(resumed);
  await until(() => seen.activity.unsettled.length === 0 && !seen.activity.isResuming);
  expect(count(flow.INFO)).toBe(asked + 1);
  expect(seen.activity.resumed.map(({ status }) => status)).toEqual(['confirmed']);
  emulator.stop();
  await until(() => seen.signer.state === 'lost');
  expect(seen.signer.version).toBeUndefined();
});

test('shows the transactions of its address, and each source by itself, whichever fails or is silent', async () => {
  const entry = (hash: string, from: string) =>
    `{"transaction_hash":"${hash.repeat(64)}","transaction_type":1,"timestamp":1,"fee":1,` +
    `"sender_account_address":"00000000${from}","recipient_account_address":"00000000${'00'.repeat(32)}"}`;
  const list = [entry('1', flow.OWN.public_key), entry('2', '11'.repeat(32))];
  fixture.gateway.on(flow.LIST, answer(`{"transactions":[${list.join()}]}`), 'garbage', 'silence');
  const seen = new Seen();
  await mount([seen]);
  await until(() => seen.activity.movements.length > 0);
  expect(seen.activity.movements.map(({ status, kind }) => [status, kind])).toEqual([['pending', 'other']]);
  const error = new Error('no storage');
  fixture.journal.pending = () => {
    throw error;
  };
  await seen.activity.refresh();
  await until(() => seen.activity.gatewayError !== undefined && seen.activity.journalError === error);
  fixture.journal.pending = async () => [{} as PendingPayment];
  void seen.activity.refresh();
  await until(() => seen.activity.journalError === undefined && seen.activity.unsettled.length === 1);
  expect(seen.activity.movements).toHaveLength(1);
});

test('shows the movements that blocks have, continues from them, and begins again after a reorganisation', async () => {
  const blocks = (from: number, to: number, chain: string) =>
    answer(
      JSON.stringify({
        blocks: Array.from({ length: to - from + 1 }, (_, at) => ({
          height: from + at,
          block_hash: `${chain}${from + at}`.padStart(64, '0'),
          previous_block_hash: `${chain}${from + at - 1}`.padStart(64, '0'),
          transactions: [
            {
              transaction_hash: `${chain}${from + at}`.padStart(64, 'a'),
              transaction_type: 1,
              timestamp: 1,
              fee: 1,
              sender_account_address: `00000000${'11'.repeat(32)}`,
              recipient_account_address: `00000000${flow.OWN.public_key}`,
              transaction_body_bytes: '0100000000000000',
            },
          ],
        })),
      }),
    );
  const BLOCKS = 'GET /api/v1/blocks';
  fixture.gateway.on(flow.HEIGHT, answer('{"height":2}')).on(BLOCKS, blocks(0, 2, '1'));
  const seen = new Seen();
  await mount([seen]);
  const heights = () => seen.activity.movements.map(({ height }) => Number(height));
  await until(() => heights().length === 3);
  expect([heights(), seen.activity.readFrom]).toEqual([[2, 1, 0], 0n]);
  fixture.gateway.on(flow.HEIGHT, answer('{"height":3}')).on(BLOCKS, blocks(3, 3, '1'));
  await seen.activity.refresh();
  await until(() => heights().length === 4);
  fixture.gateway.on(flow.HEIGHT, answer('{"height":4}')).on(BLOCKS, blocks(4, 4, '2'), blocks(0, 4, '2'));
  await seen.activity.refresh();
  await until(() => seen.activity.blocksError !== undefined);
  await seen.activity.refresh();
  await until(() => heights().length === 5 && seen.activity.blocksError === undefined);
  const asked = fixture.gateway.requests.filter(({ path }) => path.startsWith('/api/v1/blocks?'));
  expect(asked.map(({ path }) => path.split('?')[1]).slice(-3)).toEqual([
    'from=3&limit=1',
    'from=4&limit=1',
    'from=0&limit=5',
  ]);
});
