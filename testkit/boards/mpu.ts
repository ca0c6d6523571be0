import type { RP2040 } from 'rp2040js';

const PAGE_BITS = 12;
const PAGES = 2 ** (32 - PAGE_BITS);
const EIGHTHS = 8;
const REGIONS = 8;
const READ = 1;
const WRITE = 2;
const EXECUTE = 4;
const ALL = READ | WRITE | EXECUTE;
const NAMES: Readonly<Record<number, string>> = { [READ]: 'read', [WRITE]: 'write', [EXECUTE]: 'fetch' };
/** Access rights of privileged code, indexed by the AP bits of a region. */
const ACCESS = [0, READ | WRITE, READ | WRITE, READ | WRITE, 0, READ, READ, 0];
const [TYPE, CTRL, RNR, RBAR, RASR] = [0xd90, 0xd94, 0xd98, 0xd9c, 0xda0];
const [ENABLE, HFNMIENA, PRIVDEFENA] = [1, 2, 4];
const VALID = 1 << 4;
export const HARD_FAULT = 3;

/** Thrown when the memory protection refuses an access. */
export class MemoryFault extends Error {
  override readonly name = 'MemoryFault';
}

/**
 * The memory protection of a Cortex-M0+ (ARMv6-M B3.5), which the simulator lacks. Access rights are kept for
 * pages of 4 KB, so a region, or an eighth of a region, that is smaller than a page is an error.
 */
export class Mpu {
  #control = 0;
  #number = 0;
  readonly #bases = new Uint32Array(REGIONS);
  readonly #attributes = new Uint32Array(REGIONS);
  #allowed = new Uint8Array(PAGES).fill(ALL);

  constructor(private readonly chip: RP2040) {
    const { core, ppb } = chip;
    const [readRegister, writeRegister] = [ppb.readUint32.bind(ppb), ppb.writeUint32.bind(ppb)];
    ppb.readUint32 = offset => (offset === TYPE ? REGIONS << 8 : readRegister(offset));
    ppb.writeUint32 = (offset, value) => {
      if (!this.#write(offset, value)) writeRegister(offset, value);
    };
    for (const size of ['32', '16', '8'] as const) {
      const [read, write] = [`readUint${size}`, `writeUint${size}`] as const;
      core[read] = address => {
        this.#check(address, isFetch(core.PC, address, size) ? EXECUTE : READ);
        return chip[read](address);
      };
      core[write] = (address, value) => {
        this.#check(address, WRITE);
        chip[write](address, value);
      };
    }
  }

  get isOn(): boolean {
    return (this.#control & ENABLE) !== 0;
  }

  #check(address: number, access: number): void {
    if (this.#allowed[address >>> PAGE_BITS]! & access) return;
    const { IPSR } = this.chip.core;
    if ((IPSR === HARD_FAULT || IPSR === HARD_FAULT - 1) && !(this.#control & HFNMIENA)) return;
    const at = (address >>> 0).toString(16);
    throw new MemoryFault(`${NAMES[access]} of ${at} (at ${this.chip.core.PC.toString(16)})`);
  }

  #write(offset: number, value: number): boolean {
    if (offset === CTRL) this.#control = value;
    else if (offset === RNR) this.#number = value;
    else if (offset === RBAR) {
      if (value & VALID) this.#number = value & 15;
      this.#bases[this.#number] = value & ~0xff;
    } else if (offset === RASR) this.#attributes[this.#number] = value;
    else return false;
    if (this.isOn || offset === CTRL) this.#apply();
    return true;
  }

  /** Computes the rights of every page. Where regions overlap, the region with the higher number applies. */
  #apply(): void {
    this.#allowed = new Uint8Array(PAGES).fill(!this.isOn || this.#control & PRIVDEFENA ? ALL : 0);
    if (!this.isOn) return;
    for (const [region, attributes] of this.#attributes.entries()) {
      if (!(attributes & 1)) continue;
      const bits = ((attributes >> 1) & 31) + 1;
      const base = this.#bases[region]!;
      if (base % 2 ** bits !== 0)
        throw new Error(
          `MPU: the address ${base.toString(16)} of region ${region} is not a multiple of its size`,
        );
      const disabled = (attributes >> 8) & 0xff;
      const allowed = ACCESS[(attributes >> 24) & 7]! | (attributes & (1 << 28) ? 0 : EXECUTE);
      const pages = 2 ** (bits - PAGE_BITS);
      if (pages < 1 || (disabled && pages < EIGHTHS))
        throw new Error(`MPU: region ${region} or its eighths are smaller than 4 KB`);
      for (let page = 0; page < pages; page++)
        if (!((disabled >> Math.floor((page * EIGHTHS) / pages)) & 1))
          this.#allowed[(base >>> PAGE_BITS) + page] = allowed;
    }
    // Regions do not apply to the registers of the core.
    this.#allowed.fill(READ | WRITE, 0xe0000000 >>> PAGE_BITS, 0xe0100000 >>> PAGE_BITS);
  }
}

/**
 * Returns whether a read fetches an instruction. The core reads both halfwords of an instruction before it
 * advances PC.
 */
function isFetch(pc: number, address: number, size: string): boolean {
  const ahead = address - (pc & ~1);
  return size === '16' && (ahead === 0 || ahead === 2);
}
