import { webcrypto } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Context, createContext, runInContext } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { root } from '../repository/repository.js';
import { NativeSockets } from './native-sockets.js';

/** The globals of Hermes that are part of the JavaScript language. */
const LANGUAGE =
  `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error
  EvalError Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl JSON Map Math NaN Number
  Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError
  Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI
  encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape`.split(
    /\s+/,
  );

/**
 * The other globals of React Native 0.88 that a library may use. They have fewer features than those of a
 * browser: fetch has no streams, and a URL cannot be modified. Abort signals have no reasons, so that
 * versions before 0.87 are covered too.
 */
const PLATFORM = `(native => {
  const bytesOf = value => Uint8Array.from(value);
  class AbortSignal {
    aborted = false;
    #listeners = new Set();
    addEventListener(type, listener) { this.#listeners.add(listener); }
    removeEventListener(type, listener) { this.#listeners.delete(listener); }
    fire() {
      if (this.aborted) return;
      this.aborted = true;
      for (const listener of [...this.#listeners]) listener({ type: 'abort' });
    }
  }
  class AbortController {
    signal = new AbortSignal();
    abort() { this.signal.fire(); }
  }
  class URL {
    #url;
    constructor(url) { this.#url = new native.URL(url); }
    get href() { return this.#url.href; }
    get protocol() { return this.#url.protocol; }
    get hostname() { return this.#url.hostname; }
  }
  class TextEncoder {
    encode(text) { return bytesOf(new native.TextEncoder().encode(text)); }
  }
  class Response {
    constructor(response) {
      this.status = response.status;
      this.ok = response.ok;
      this.headers = response.headers;
      this.arrayBuffer = async () => bytesOf(new native.Uint8Array(await response.arrayBuffer())).buffer;
    }
  }
  async function fetch(url, { signal, ...init }) {
    const end = new native.AbortController();
    if (signal?.aborted) end.abort();
    signal?.addEventListener('abort', () => end.abort());
    try {
      return new Response(await native.fetch(url, { ...init, signal: end.signal }));
    } catch {
      throw new TypeError('Network request failed');
    }
  }
  Object.assign(globalThis, {
    AbortController, AbortSignal, Response, TextEncoder, URL, fetch,
    ...native.functions,
    navigator: { product: 'ReactNative' },
    performance: { now: () => native.now() },
    process: { env: { NODE_ENV: 'production' } },
    self: globalThis,
    window: globalThis,
  });
})`;

/**
 * Replacements for the modules that an app installs according to docs/REACT-NATIVE.md. They use the native
 * modules of this runtime.
 */
const MODULES: Readonly<Record<string, string>> = {
  'react-native-get-random-values': 'globalThis.crypto = { getRandomValues: nativeModules.getRandomValues };',
  'react-native-url-polyfill/auto': 'globalThis.URL = nativeModules.URL;',
  'react-native-tcp-socket': `
    import { tcpSockets } from '${fileURLToPath(new URL('tcp-socket.js', import.meta.url))}';
    export default tcpSockets(nativeModules.TcpSockets);`,
};

const modules: Plugin = {
  name: 'modules of React Native',
  setup({ onResolve, onLoad }) {
    const filter = /^react-native-/;
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'react-native' }));
    onLoad({ filter, namespace: 'react-native' }, ({ path }) => ({
      contents: MODULES[path]!,
      resolveDir: root,
    }));
  },
};

/**
 * Bundles a program as Metro does for Android and iOS. It uses Metro's conditions of exports and imports.
 * Modules of Node are not available. Asynchronous generators are transformed, because Hermes lacks them.
 */
export async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: 'neutral',
    conditions: ['react-native', 'import'],
    supported: { 'async-generator': false, 'for-await': false },
    format: 'iife',
    globalName: 'program',
    plugins: [modules],
    write: false,
  });
  return outputFiles[0]!.text;
}

/** An app on a phone. */
export class ReactNativeApp<Program> {
  readonly sockets = new NativeSockets();
  readonly program: Program;

  constructor(script: string) {
    const context = createContext();
    removeOthers(context);
    runInContext(
      PLATFORM,
      context,
    )({
      functions: {
        TextDecoder,
        atob,
        btoa,
        clearTimeout,
        console,
        queueMicrotask,
        // In React Native, timers are numbers. Timers that the library does not clear must not keep a test
        // running.
        setTimeout: (run: () => void, delayMs: number) => Number(setTimeout(run, delayMs).unref()),
      },
      AbortController,
      TextEncoder,
      URL,
      Uint8Array,
      fetch: globalThis.fetch,
      now: () => performance.now(),
    });
    context.nativeModules = {
      URL,
      TcpSockets: this.sockets,
      getRandomValues: (array: Uint8Array) => webcrypto.getRandomValues(array),
    };
    this.program = runInContext(`${script}; program`, context);
  }
}

/** Removes the globals of Node's engine that Hermes does not have. */
function removeOthers(context: Context): void {
  for (const name of runInContext('Object.getOwnPropertyNames(globalThis)', context))
    if (!LANGUAGE.includes(name)) delete context[name];
  runInContext(
    `delete Array.fromAsync; delete Promise.try; delete Math.sumPrecise; delete RegExp.escape; delete Error.isError;
     for (const name of ['fromHex', 'fromBase64']) delete Uint8Array[name];
     for (const name of ['toHex', 'toBase64', 'setFromHex', 'setFromBase64']) delete Uint8Array.prototype[name];`,
    context,
  );
}
