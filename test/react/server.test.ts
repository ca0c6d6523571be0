import { GatewayClient, MemoryJournal } from '@zbc-signer/host';
import { SignerProvider } from '@zbc-signer/react';
import { createElement, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { openPage, Probe, Seen } from './scene.js';

/** Nothing listens there. */
const gateway = new GatewayClient('http://127.0.0.1:1');

function App({ seen }: { seen: Seen }) {
  const children = createElement(Probe, { seen });
  return createElement(
    StrictMode,
    null,
    createElement(SignerProvider, { gateway, journal: new MemoryJournal(), children }),
  );
}

test('renders on a server without requests, and hydrates to the same markup', async () => {
  Reflect.deleteProperty(globalThis, 'navigator');
  expect(['window', 'document', 'navigator'].filter(name => name in globalThis)).toEqual([]);
  const onServer = new Seen();
  const markup = renderToString(createElement(App, { seen: onServer }));
  expect(markup).toBe('<p>none,false,idle,0</p>');

  const { document, hydrateRoot } = await openPage();
  const container = document.body.appendChild(document.createElement('div')) as Element & {
    innerHTML: string;
  };
  container.innerHTML = markup;
  const seen = new Seen();
  const errors: unknown[] = [];
  const onRecoverableError = (error: unknown) => errors.push(error);
  const root = hydrateRoot(container, createElement(App, { seen }), { onRecoverableError });
  while (seen.activity?.gatewayError === undefined) await new Promise(resolve => setTimeout(resolve, 5));
  expect(errors).toEqual([]);
  expect(container.innerHTML).toBe(markup);
  expect(onServer.activity.gatewayError).toBeUndefined();
  root.unmount();
});
