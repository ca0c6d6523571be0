import { type BroadcastState, toHex, ZbcSignerError } from '@zbc-signer/chain';
import type { PendingPayment, Transport } from '@zbc-signer/host';
import { useSend, useSigner } from '@zbc-signer/react';
import { createElement, Fragment, useEffect } from 'react';
import { answer } from '../../testkit/gateway/fake-gateway.js';
import {
  INFO,
  LIST,
  NOT_FOUND,
  OWN,
  POST,
  receipt,
  SEND,
  STATUS,
  sendDraft,
  stage,
} from '../../testkit/gateway/flow-fixture.js';
import { accounts } from '../../testkit/repository/vectors.js';
import { until } from '../../testkit/time/until.js';
import { Probe, Scene, Seen } from './scene.js';

const HASH = SEND.expect.tx_hash;
const [, OTHER] = accounts.cases;

let scene: Scene;
beforeEach(async () => {
  scene = await Scene.open();
});
afterEach(() => scene.close());

/** The code of the error that the hooks show, and whether the chain may have the payment. */
function failureOf({ send }: Seen): [code: string, sent: BroadcastState] | undefined {
  if (send.state !== 'error') return undefined;
  return [send.error instanceof ZbcSignerError ? send.error.code : `${send.error}`, send.sent];
}

describe('strict mode', () => {
  test('connects, reads, requests and pays once, although every effect runs twice', async () => {
    const seen = new Seen();
    let effects = 0;
    function Hasty() {
      const { state, connect } = useSigner();
      const { state: sending, send } = useSend();
      useEffect(() => {
        effects += 1;
        connect(scene.connectDevice);
      }, [connect]);
      useEffect(() => {
        if (state === 'ready' && sending === 'idle') send(sendDraft(), scene.options);
      }, [state, sending, send]);
      return createElement(Probe, { seen });
    }
    await scene.render(createElement(Hasty));
    await until(() => scene.emulator.reviewing);
    expect(effects).toBe(2);
    // The host reads the list of transactions once more before it asks the device.
    expect(scene.count(LIST)).toBe(2);
    await scene.emulator.approve();
    await until(() => seen.send.state === 'sent');
    await until(() => scene.count(LIST) === 3);
    expect([scene.opened, scene.closed, scene.count(POST)]).toEqual([1, 0, 1]);
    expect(scene.emulator.reviewing).toBe(false);
  });
});

describe('useSigner', () => {
  test('has the states none, connecting, ready with the version, and none again', async () => {
    const seen = new Seen();
    await scene.mount(seen);
    seen.signer.connect(async () => {
      await until(() => seen.states.includes('connecting'));
      return scene.connectDevice();
    });
    await until(() => seen.signer.state === 'ready');
    expect(seen.signer.version?.locked).toBe(false);
    seen.signer.disconnect();
    await until(() => seen.signer.state === 'none');
    expect(seen.states).toEqual(['none', 'connecting', 'ready', 'none']);
    expect([scene.closed, seen.signer.version, seen.signer.signer]).toEqual([1, undefined, undefined]);
  });

  test('calls the function that opens a device during the click event', async () => {
    const seen = new Seen();
    await scene.mount(seen);
    seen.signer.connect(scene.connectDevice);
    expect(scene.opened).toBe(1);
    await until(() => seen.signer.state === 'ready');
  });

  test('shows a device without a seed as locked', async () => {
    const locked = await Scene.open(null);
    const seen = new Seen();
    await locked.mount(seen);
    seen.signer.connect(locked.connectDevice);
    await until(() => seen.signer.state === 'locked');
    await locked.close();
  });

  test('shows why no device was opened, and connects at the next click', async () => {
    const seen = new Seen();
    await scene.mount(seen);
    const error = new Error('no device was chosen');
    seen.signer.connect(() => Promise.reject(error));
    await until(() => seen.signer.state === 'none' && seen.signer.error === error);
    seen.signer.connect(scene.connectDevice);
    await until(() => seen.signer.state === 'ready');
  });

  test('shares one device between two components that both connect', async () => {
    const both = [new Seen(), new Seen()] as const;
    await scene.render(createElement(Fragment, null, ...both.map(seen => createElement(Probe, { seen }))));
    await until(() => both.every(({ renders }) => renders > 0));
    for (const { signer } of both) signer.connect(scene.connectDevice);
    await until(() => both.every(({ signer }) => signer.state === 'ready'));
    await until(() => scene.count(LIST) > 0);
    expect([scene.opened, scene.count(LIST)]).toEqual([1, 1]);
    expect(both.map(seen => scene.pay(seen))).toEqual([true, false]);
    await until(() => both.every(({ review }) => review.isOpen));
    expect(both[1].review.items).toBe(both[0].review.items);
    await scene.emulator.approve();
    await until(() => both.every(({ send }) => send.state === 'sent'));
    expect(scene.count(POST)).toBe(1);
  });

  test('releases the device when the provider is unmounted', async () => {
    const root = await scene.mountReady(new Seen());
    root.unmount();
    await until(() => scene.closed === 1);
  });

  test('releases a device that is opened only after the provider is unmounted', async () => {
    const seen = new Seen();
    const root = await scene.mount(seen);
    let choose = (_: Transport) => {};
    seen.signer.connect(() => new Promise(resolve => (choose = resolve)));
    await until(() => seen.signer.state === 'connecting');
    root.unmount();
    await new Promise(resolve => setTimeout(resolve, 20));
    choose(scene.connectDevice());
    await until(() => scene.closed === 1);
  });

  test('releases a device that a handler opens after the provider is unmounted', async () => {
    const seen = new Seen();
    const root = await scene.mount(seen);
    root.unmount();
    await new Promise(resolve => setTimeout(resolve, 20));
    seen.signer.connect(scene.connectDevice);
    await until(() => scene.closed === 1);
  });

  test('shows that a device is lost during a review and that nothing was sent, then that the device is back', async () => {
    const seen = new Seen();
    await scene.mountReady(seen);
    scene.pay(seen);
    await until(() => seen.review.isOpen && scene.emulator.reviewing);
    scene.unplug();
    await until(() => seen.signer.state === 'lost' && seen.send.state === 'error');
    expect(seen.signer.version).toBeUndefined();
    expect(failureOf(seen)).toEqual(['TRANSPORT_FAILED', 'no']);
    expect(seen.review).toMatchObject({ isOpen: false, items: [] });
    scene.plug();
    await until(() => seen.signer.state === 'ready');
    expect([seen.send.state, scene.emulator.reviewing, scene.count(POST)]).toEqual(['error', false, 0]);
  });
});

describe('useReview', () => {
  test('has the items that the device shows for any kind of call', async () => {
    const seen = new Seen();
    await scene.mountReady(seen);
    scene.pay(seen);
    await until(() => seen.review.isOpen);
    expect(seen.review.items).toEqual(await scene.emulator.review());
    await scene.emulator.reject();
    await until(() => failureOf(seen) !== undefined && !seen.review.isOpen);
    expect(failureOf(seen)).toEqual(['USER_REJECTED', 'no']);

    const signing = seen.signer.signer!.signMessage(0, Buffer.from('Hello'));
    await until(() => seen.review.isOpen);
    expect(seen.review.items).toEqual(await scene.emulator.review());
    await scene.emulator.approve();
    await signing;
  });

  test('cancels a review of a device whose transport supports signals', async () => {
    const seen = new Seen();
    await scene.mountReady(seen);
    scene.pay(seen);
    await until(() => seen.review.isOpen && scene.emulator.reviewing);
    seen.review.cancel();
    await until(() => failureOf(seen) !== undefined && seen.signer.state === 'ready');
    expect(failureOf(seen)).toEqual(['ABORTED', 'no']);
    expect([scene.emulator.reviewing, scene.opened, scene.count(POST)]).toEqual([false, 1, 0]);
  });

  test('sends nothing if the user approves a cancelled review and the transport does not support signals', async () => {
    const seen = new Seen();
    await scene.mount(seen);
    seen.signer.connect(() => {
      const transport = scene.connectDevice();
      return { exchange: apdu => transport.exchange(apdu), close: () => transport.close() };
    });
    await until(() => seen.signer.state === 'ready');
    scene.pay(seen);
    await until(() => seen.review.isOpen && scene.emulator.reviewing);
    seen.review.cancel();
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(seen.review.isOpen).toBe(true);
    await scene.emulator.approve();
    await until(() => failureOf(seen) !== undefined);
    expect([failureOf(seen), scene.count(POST)]).toEqual([['ABORTED', 'no'], 0]);
  });

  test('cancels nothing after the user has approved, while the device is polled for its state', async () => {
    const seen = new Seen();
    let isDecided = false;
    await scene.mount(seen);
    seen.signer.connect(() => {
      const transport = scene.connectDevice();
      return {
        ...transport,
        exchange: (apdu, signal) => {
          if (isDecided) seen.review.cancel();
          return transport.exchange(apdu, signal);
        },
      };
    });
    await until(() => seen.signer.state === 'ready');
    seen.signer.signer!.subscribe(({ type }) => (isDecided ||= type === 'decided'));
    scene.pay(seen);
    await scene.emulator.approve();
    await until(() => seen.send.state === 'sent' && seen.signer.state === 'ready');
    expect(isDecided).toBe(true);
    expect(seen.states).not.toContain('lost');
  });
});

describe('useSend', () => {
  test('shows the progress and the outcome of a payment, and can forget them', async () => {
    const seen = new Seen();
    await scene.mountReady(seen);
    scene.pay(seen);
    await until(() => seen.send.state === 'sending' && seen.send.event?.step === 'review');
    seen.send.clear();
    expect(scene.pay(seen)).toBe(false);
    await scene.emulator.approve();
    await until(() => seen.send.state === 'sent');
    const outcome = seen.send.state === 'sent' ? seen.send.outcome : undefined;
    expect([outcome?.status, outcome && toHex(outcome.transactionHash)]).toEqual(['confirmed', HASH]);
    seen.send.clear();
    await until(() => seen.send.state === 'idle');
  });

  test('shows that nothing was sent if no device is connected', async () => {
    const seen = new Seen();
    await scene.mount(seen);
    scene.pay(seen);
    await until(() => failureOf(seen) !== undefined);
    expect(failureOf(seen)).toEqual(['SESSION_CLOSED', 'no']);
  });

  test('ends the review, and sends nothing, if the provider is unmounted before the user has decided', async () => {
    const seen = new Seen();
    const root = await scene.mountReady(seen);
    const { signer } = seen.signer;
    scene.pay(seen);
    await until(() => seen.review.isOpen && scene.emulator.reviewing);
    root.unmount();
    await until(() => scene.closed === 1 && !scene.emulator.reviewing);
    expect(signer!.state.state).toBe('closed');
    expect([await scene.fixture.journal.pending(), scene.count(POST)]).toEqual([[], 0]);
  });

  test('continues the payment if only the component is unmounted, and the next component shows it', async () => {
    const first = new Seen();
    const root = await scene.mountReady(first);
    scene.pay(first);
    await until(() => first.review.isOpen);
    root.render(scene.wrap(null));
    await until(() => scene.page.document.body.textContent === '');
    const next = new Seen();
    root.render(scene.wrap(createElement(Probe, { seen: next })));
    await until(() => next.renders > 0);
    expect([next.send.state, next.review.isOpen]).toEqual(['sending', true]);
    await scene.emulator.approve();
    await until(() => next.send.state === 'sent');
  });

  test('keeps a signed payment in the journal if the provider is unmounted, and the next provider shows it', async () => {
    const first = new Seen();
    const root = await scene.mountReady(first);
    let broadcast = () => {};
    scene.beforeBroadcast = new Promise(resolve => (broadcast = resolve));
    scene.pay(first);
    await scene.emulator.approve();
    await until(() => first.send.state === 'sending' && first.send.event?.step === 'submitting');
    root.unmount();
    await until(() => scene.closed === 1);
    const next = new Seen();
    await scene.mount(next);
    await until(() => next.activity.unsettled.length === 1);
    expect(toHex(next.activity.unsettled[0]!.transactionHash)).toBe(HASH);
    expect(scene.count(POST)).toBe(0);
    broadcast();
    await until(async () => (await scene.fixture.journal.pending()).length === 0);
    await next.activity.refresh();
    await until(() => next.activity.unsettled.length === 0);
    expect(scene.count(POST)).toBe(1);
  });

  test('reports that a payment with an unknown outcome may have been made', async () => {
    scene.fixture.gateway.on(POST, 'drop').on(STATUS, NOT_FOUND);
    const seen = new Seen();
    await scene.mountReady(seen);
    scene.pay(seen);
    await scene.emulator.approve();
    await until(() => failureOf(seen) !== undefined && seen.activity.unsettled.length === 1);
    expect(failureOf(seen)).toEqual(['BROADCAST_UNCERTAIN', 'maybe']);
    scene.pay(seen);
    await until(() => failureOf(seen)?.[0] === 'UNSETTLED_PAYMENT');
    expect(scene.emulator.reviewing).toBe(false);

    scene.fixture.gateway.on(POST, receipt()).on(STATUS, NOT_FOUND, stage('confirmed'));
    const asked = scene.count(INFO);
    const resumed = [seen.activity.resume(), seen.activity.resume()];
    await until(() => seen.activity.isResuming);
    await Promise.all(resumed);
    await until(() => seen.activity.unsettled.length === 0 && !seen.activity.isResuming);
    expect(scene.count(INFO)).toBe(asked + 1);
    expect(seen.activity.resumed.map(({ status }) => status)).toEqual(['confirmed']);
  });
});

describe('useActivity', () => {
  test('has the transactions of its address, and the error if a request failed', async () => {
    const entry = (hash: string, from: string) =>
      `{"transaction_hash":"${hash.repeat(64)}","transaction_type":1,"timestamp":1,"fee":1,` +
      `"sender_account_address":"00000000${from}","recipient_account_address":"00000000${OTHER!.public_key}"}`;
    const list = [entry('1', OWN.public_key), entry('2', OTHER!.public_key)];
    scene.fixture.gateway.on(LIST, answer(`{"transactions":[${list.join()}]}`), 'garbage');
    const seen = new Seen();
    await scene.mount(seen);
    await until(() => seen.activity.transactions.length > 0);
    expect(seen.activity.transactions.map(({ hash }) => toHex(hash)[0])).toEqual(['1']);
    scene.fixture.journal.pending = () => Promise.reject(new Error('the disk is full'));
    await seen.activity.refresh();
    await until(() => seen.activity.gatewayError !== undefined && seen.activity.journalError !== undefined);
    expect(seen.activity.transactions).toHaveLength(1);
  });

  test('shows the payments of the journal while the gateway does not answer', async () => {
    scene.fixture.gateway.on(LIST, 'silence');
    scene.fixture.journal.pending = async () => [{} as PendingPayment];
    const seen = new Seen();
    await scene.mount(seen);
    await until(() => seen.activity.unsettled.length === 1);
    scene.fixture.journal.pending = async () => [];
    void seen.activity.refresh();
    await until(() => seen.activity.unsettled.length === 0);
    expect(seen.activity.gatewayError).toBeUndefined();
  });

  test('shows the error of a journal that throws instead of rejecting', async () => {
    const error = new Error('no storage');
    scene.fixture.journal.pending = () => {
      throw error;
    };
    const seen = new Seen();
    await scene.mount(seen);
    await until(() => seen.activity.journalError === error);
  });

  test('does not read, connect or subscribe again in a thousand renders, and returns the same objects', async () => {
    const seen = new Seen();
    const root = await scene.mountReady(seen);
    await until(() => scene.count(LIST) === 1);
    await seen.activity.refresh();
    const { signer, review, send, activity } = seen;
    for (let at = 0; at < 1000; at++) {
      root.render(scene.wrap(createElement(Probe, { seen })));
      if (at % 10 === 0) await new Promise(resolve => setImmediate(resolve));
    }
    const last = new Seen();
    root.render(scene.wrap(createElement(Probe, { seen: last })));
    await until(() => last.renders > 0);
    expect(seen.renders).toBeGreaterThan(100);
    expect(last.signer).toBe(signer);
    expect(last.review).toBe(review);
    expect(last.send).toBe(send);
    expect(last.activity).toBe(activity);
    expect([scene.opened, scene.closed, scene.count(LIST)]).toEqual([1, 0, 2]);
    const { renders } = last;
    await new Promise(resolve => setTimeout(resolve, 2500));
    expect(last.renders).toBe(renders);
  });
});
