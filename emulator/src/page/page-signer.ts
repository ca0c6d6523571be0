import type { ReviewItem } from '@zbc-signer/chain';
import type { KeystoreVault } from '../device/keystore/keystore.js';
import { TEST_SEED } from '../device/known-seed.js';
import { Platform, textsOf } from '../device/platform.js';
import { EmulatedSigner, type SignerParts } from '../harness/emulated-signer.js';
import { expectReview } from '../review/expect-review.js';
import {
  approveReview,
  awaitReview,
  type ReviewedEmulator,
  readReview,
  rejectReview,
} from '../review/review.js';
import keystoreWasm from '../zbc-keystore.wasm';
import firmwareWasm from '../zbc-signer.wasm';
import { KEYS, listenForKeys } from './keys.js';
import { drawFrame } from './screen.js';

/** The most that one call of `getRandomValues` returns. A new seed needs 1,024 bytes. */
const NOISE_LENGTH = 65_536;

const compiled = new Map<Uint8Array, Promise<WebAssembly.Module>>();

/** The compiled module, the same for every device of the page. */
function moduleOf(gzip: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  const module = compiled.get(gzip) ?? compileModule(gzip);
  compiled.set(gzip, module);
  return module;
}

/** Compiles a module that the build has compressed, because base64 hardly compresses. */
async function compileModule(gzip: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  const stream = new Blob([gzip]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Options of `PageSigner.start`. */
export interface PageSignerOptions {
  /**
   * A keystore in front of the signer: the device starts without a seed, makes one with noise of
   * `crypto.getRandomValues`, and keeps it in the vault, if one is given. Without the option, the device has the
   * seed of the test mnemonic.
   */
  keystore?: { vault?: KeystoreVault };
}

/**
 * A signer in this page: the shipped firmware and keystore, a screen and two buttons. It protects no seed,
 * because every script of the page can read its memory. The page's policy must allow `wasm-unsafe-eval`.
 */
export class PageSigner extends EmulatedSigner implements ReviewedEmulator {
  readonly #mounted = new AbortController();
  readonly isCatchingUp = false;

  private constructor(parts: SignerParts) {
    super(parts);
  }

  /** Compiles the modules and starts a device. Throws FirmwareCrashError if the firmware traps at boot. */
  static async start({ keystore }: PageSignerOptions = {}): Promise<PageSigner> {
    const module = await moduleOf(firmwareWasm);
    const board = keystore && {
      ...keystore,
      module: await moduleOf(keystoreWasm),
      noise: crypto.getRandomValues(new Uint8Array(NOISE_LENGTH)),
    };
    const platform = new Platform(board ? undefined : TEST_SEED.slice(), undefined, board);
    return new PageSigner({ module, platform, seedKind: board ? 'none' : 'test', recorder: undefined });
  }

  /** Shows the screen, its texts and the three presses in an element; arrow keys press too. */
  mount(place: HTMLElement): void {
    const canvas = Object.assign(document.createElement('canvas'), { width: 128, height: 64 });
    canvas.ariaHidden = 'true';
    const texts = Object.assign(document.createElement('p'), { role: 'status' });
    const draw = () => {
      drawFrame(canvas, this.screen.frame);
      texts.textContent = textsOf(this.screen).join(' · ');
    };
    const buttons = [...KEYS.values()].map(name => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: name });
      button.addEventListener('click', () => this.press(name));
      return button;
    });
    place.replaceChildren(canvas, ...buttons, texts);
    listenForKeys(button => this.press(button), this.#mounted.signal);
    this.on('screen', draw);
    draw();
  }

  /** Wipes the seed and the memory. Pending commands get no reply. */
  stop(): void {
    this.#mounted.abort();
    this.end();
  }

  /** Like the method of Emulator with this name. */
  waitForReview(timeoutMs?: number): Promise<void> {
    return awaitReview(this, timeoutMs);
  }

  /** Like the method of Emulator with this name. */
  review(): Promise<ReviewItem[]> {
    return readReview(this);
  }

  /** See expectReview. */
  expectReview(items: readonly ReviewItem[]): Promise<void> {
    return expectReview(this, items);
  }

  /** Like the method of Emulator with this name. */
  approve(): Promise<void> {
    return approveReview(this);
  }

  /** Like the method of Emulator with this name. */
  reject(): Promise<void> {
    return rejectReview(this);
  }

  /** Resolves at once, because there is no real device. */
  async confirmed(): Promise<void> {}

  /** There is no trace. */
  keepTrace(): undefined {}
}
