import { BasePeripheral, type RP2040 } from 'rp2040js';

/** Numbers of the 4 KB pages of these peripheral blocks. */
const [SSI, IO_QSPI] = [0x18000, 0x40018];
const [SR, DR0, SS_CTRL] = [0x28, 0x60, 0x0c];
const [EMPTY, NOT_EMPTY] = [0b0110, 0b1110];
const [LOW, HIGH] = [2, 3];
const READ_UNIQUE_ID = 0x4b;
const DUMMY_BYTES = 4;
/** The unique id of the simulated flash chip. */
export const FLASH_ID = Uint8Array.of(0xe6, 0x60, 0xb4, 0x41, 0x07, 0x1f, 0x9a, 0x2d);

/**
 * The commands of a flash chip on the SSI, while flash is not read as memory. The only implemented command
 * reads the unique id.
 */
export class FlashChip extends BasePeripheral {
  /** The override of the select line. */
  #override = 0;
  #sent: number[] = [];
  readonly #received: number[] = [];
  readonly #rest: BasePeripheral;

  /** `takesCommands` returns false while flash is read as memory. */
  constructor(
    chip: RP2040,
    private readonly takesCommands: () => boolean,
    private readonly complain: (text: string) => void,
  ) {
    super(chip, 'SSI');
    this.#rest = chip.peripherals[SSI] as BasePeripheral;
    chip.peripherals[SSI] = this;
    chip.peripherals[IO_QSPI] = new SelectLine(chip, value => this.#select(value));
  }

  override readUint32(offset: number): number {
    if (this.takesCommands() && offset === SR) return this.#received.length > 0 ? NOT_EMPTY : EMPTY;
    if (this.takesCommands() && offset === DR0) return this.#received.shift() ?? 0;
    return this.#rest.readUint32(offset);
  }

  override writeUint32(offset: number, value: number): void {
    if (!this.takesCommands() || offset !== DR0) this.#rest.writeUint32(offset, value);
    else this.#received.push(this.#exchange(value));
  }

  #select(override: number): void {
    this.#override = override;
    this.#sent = [];
  }

  #exchange(byte: number): number {
    if (this.#override !== LOW) this.complain('a byte was sent while the flash chip was not selected');
    const at = this.#sent.push(byte) - 2 - DUMMY_BYTES;
    if (this.#sent[0] !== READ_UNIQUE_ID)
      this.complain(`the flash chip does not know the command ${this.#sent[0]}`);
    return FLASH_ID[at] ?? 0xff;
  }
}

class SelectLine extends BasePeripheral {
  #control = 0;

  constructor(
    chip: RP2040,
    private readonly changed: (override: number) => void,
  ) {
    super(chip, 'IO_QSPI');
  }

  override readUint32(offset: number): number {
    return offset === SS_CTRL ? this.#control : super.readUint32(offset);
  }

  override writeUint32(offset: number, value: number): void {
    if (offset !== SS_CTRL) {
      super.writeUint32(offset, value);
      return;
    }
    this.#control = value;
    this.changed((value >> 8) & HIGH);
  }
}
