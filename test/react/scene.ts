import { Emulator } from '@zbc-signer/emulator';
import { anySignal, GatewayClient, type Transport } from '@zbc-signer/host';
import {
  type ActivityHook,
  type ReviewHook,
  type SendHook,
  type SignerHook,
  SignerProvider,
  useActivity,
  useReview,
  useSend,
  useSigner,
} from '@zbc-signer/react';
import { parseHTML } from 'linkedom';
import { createElement, type ReactNode, StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { answer } from '../../testkit/gateway/fake-gateway.js';
import { FlowFixture, LIST, OWN, SENT, sendDraft } from '../../testkit/gateway/flow-fixture.js';
import { until } from '../../testkit/time/until.js';

const EMPTY_LIST = answer('{"transactions":[]}');

/** The values of the hooks at the latest render of a component. */
export class Seen {
  signer!: SignerHook;
  review!: ReviewHook;
  send!: SendHook;
  activity!: ActivityHook;
  renders = 0;
  /** The states of the device in their order. */
  readonly states: string[] = [];
}

export function Probe({ seen }: { seen: Seen }): ReactNode {
  seen.signer = useSigner();
  seen.review = useReview();
  seen.send = useSend();
  seen.activity = useActivity(OWN.address);
  seen.renders += 1;
  if (seen.states.at(-1) !== seen.signer.state) seen.states.push(seen.signer.state);
  const { signer, review, send, activity } = seen;
  return createElement(
    'p',
    null,
    [signer.state, review.isOpen, send.state, activity.unsettled.length].join(),
  );
}

/** The members of a document that the tests use, because this compilation has no types of the DOM. */
interface PageDocument {
  body: { innerHTML: string; textContent: string; appendChild(child: Element): Element };
  createElement(name: string): Element & { innerHTML: string };
}

/** Replaces the globals of this file's own environment by those of a page. */
export async function openPage() {
  const { window, document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
    window: object;
    document: PageDocument;
  };
  for (const [name, value] of Object.entries({ window, document, navigator: { userAgent: '' } })) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  return { document, ...(await import('react-dom/client')) };
}

/** A device, a gateway that accepts one payment, and a page whose components use both. */
export class Scene {
  readonly roots: Root[] = [];
  opened = 0;
  closed = 0;
  #cable = new AbortController();
  /** The gateway accepts a broadcast only after this promise has resolved. */
  beforeBroadcast: Promise<void> = Promise.resolve();

  private constructor(
    readonly emulator: Emulator,
    readonly fixture: FlowFixture,
    readonly page: Awaited<ReturnType<typeof openPage>>,
  ) {}

  static async open(seed?: null): Promise<Scene> {
    const emulator = await Emulator.start(seed === null ? { seed } : {});
    const fixture = await FlowFixture.start();
    fixture.gateway.on(LIST, EMPTY_LIST);
    return new Scene(emulator, fixture, await openPage());
  }

  async close(): Promise<void> {
    for (const root of this.roots) root.unmount();
    await until(() => this.closed === this.opened);
    this.emulator.stop();
    await this.fixture.gateway.stop();
  }

  readonly connectDevice = (): Transport => {
    const transport = this.emulator.transport();
    this.opened += 1;
    let isOpen = true;
    return {
      exchange: async (apdu, signal) => transport.exchange(apdu, anySignal(signal, this.#cable.signal)),
      close: () => {
        if (isOpen) this.closed += 1;
        isOpen = false;
        transport.close();
      },
    };
  };

  unplug(): void {
    this.#cable.abort(new Error('no cable'));
  }

  plug(): void {
    this.#cable = new AbortController();
  }

  /** The options of the payment that the gateway accepts. */
  get options() {
    return { clock: this.fixture.clock(SENT.timestamp) };
  }

  /** The requests of a route, such as `POST /api/v1/transactions`. */
  count(route: string): number {
    return this.fixture.gateway.routes.filter(each => each === route).length;
  }

  wrap(children: ReactNode, isStrict = true): ReactNode {
    const gateway = new GatewayClient(this.fixture.url, {
      fetch: async (input, init) => {
        if (init?.method === 'POST') await this.beforeBroadcast;
        return fetch(input, init);
      },
    });
    const { journal } = this.fixture;
    const provider = createElement(SignerProvider, { gateway, journal }, children);
    return isStrict ? createElement(StrictMode, null, provider) : provider;
  }

  /** Renders into a new root. */
  async render(children: ReactNode, isStrict?: boolean): Promise<Root> {
    const { document, createRoot } = this.page;
    const root = createRoot(document.body.appendChild(document.createElement('div')));
    this.roots.push(root);
    root.render(this.wrap(children, isStrict));
    return root;
  }

  /** Renders a component that shows all hooks, and waits until it is mounted. */
  async mount(seen: Seen): Promise<Root> {
    const root = await this.render(createElement(Probe, { seen }));
    await until(() => seen.renders > 0);
    return root;
  }

  /** Like `mount`, with a device that is ready. */
  async mountReady(seen: Seen): Promise<Root> {
    const root = await this.mount(seen);
    seen.signer.connect(this.connectDevice);
    await until(() => seen.signer.state === 'ready');
    return root;
  }

  pay(seen: Seen): boolean {
    return seen.send.send(sendDraft(), this.options);
  }
}
