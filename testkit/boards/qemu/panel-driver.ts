import type { Socket } from 'node:net';
import type { Storage } from '../driver.js';
import { wordOf } from '../opened-keystore.js';
import { joinUarts } from './joined-uarts.js';
import { encodePacket, type Packet } from './packets.js';
import { SerialDriver } from './serial-driver.js';

const FRAME_BYTES = 1024;

/** A board whose display and keys are a panel at the other end of a UART. This class implements the panel. */
export abstract class PanelDriver extends SerialDriver {
  readonly seesDisplay = true;
  protected readonly keystoreOptions = 4;
  /** Number of the last frame. */
  frameNumber = 0;
  #frame: Uint8Array | undefined;
  #isAnswered = false;

  /** Returns the content of flash while the machine is stopped. */
  protected abstract stored(): Promise<Storage>;

  override async boot(): Promise<this> {
    await super.boot();
    const { noise } = this.options;
    if (noise !== undefined)
      await this.poke([
        [this.image.symbol('model_noise'), noise],
        [this.image.symbol('model_noise_bytes'), wordOf(noise.length)],
      ]);
    return this;
  }

  async frame(): Promise<Uint8Array | undefined> {
    return this.#frame;
  }

  loseDisplayPower(): void {
    this.#frame = undefined;
  }

  async storage(): Promise<Storage> {
    await this.settle();
    return this.stored();
  }

  /** Connects another panel, which replaces this one. */
  serve(socket: Socket): void {
    this.hasDisplay = false;
    joinUarts(socket, this.machine.uart, this.machine.panel);
  }

  /** Cuts the power immediately, even while the board is busy. Returns the storage. */
  async cutPower(): Promise<Storage> {
    await this.machine.qmp.do('stop');
    const storage = await this.stored();
    await this.machine.kill();
    this.machine.discard();
    return storage;
  }

  protected async setKeys(bits: number): Promise<void> {
    if (this.gdb) await this.gdb.write(this.image.symbol('panel_keys'), Uint8Array.of(bits));
    else this.machine.panel.write(encodePacket('K', Uint8Array.of(bits)));
  }

  protected override takePanelPacket(packet: Packet): void {
    if (packet.type !== 'F' || packet.body.length !== FRAME_BYTES + 1) {
      super.takePanelPacket(packet);
      return;
    }
    this.#isAnswered = false;
    this.frameNumber = packet.body[FRAME_BYTES]!;
    if (!this.hasDisplay) return;
    this.#frame = packet.body.subarray(0, FRAME_BYTES);
    this.answer(this.frameNumber);
  }

  /** Sends the panel's message that it shows a frame. */
  answer(number: number): void {
    this.#isAnswered = number === this.frameNumber;
    this.machine.panel.write(encodePacket('S', Uint8Array.of(number)));
  }

  /**
   * Returns whether the board has received the panel's message for the last frame. Before that, presses do
   * not count. On a loaded machine, the message may arrive late.
   */
  protected override async isReady(): Promise<boolean> {
    if (!this.#isAnswered) return true;
    const [shown] = await this.machine.memory(this.image.symbol('shown'), 1);
    return shown === 1;
  }
}
