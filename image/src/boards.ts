/** The layout of a board's flash. All sizes are in bytes. */
export interface Board {
  name: string;
  /** The address of the first byte of flash. */
  flashStart: number;
  flashBytes: number;
  /** Size of a sector, which is the smallest unit that can be erased. */
  sectorBytes: number;
  /** Slots of the board's loader (firmware/boards/NAME/loader); absent if there is none. */
  slots?: Slots;
  /** The memory limits that the loader checks in a program. Present if there are slots. */
  core?: Core;
  /** The family id in UF2 files for this board; absent if the board does not accept UF2. */
  uf2Family?: number;
}

/** The start and size of a Cortex-M's SRAM, which its initial stack pointer must point into. */
export interface Core {
  sramStart: number;
  sramBytes: number;
}

/**
 * The slots of a board's loader. `installed` is the offset of the slot from which images start, and `staged`
 * that of the slot for updates. Offsets are in bytes from the start of flash.
 */
export interface Slots {
  installed: number;
  staged: number;
  bytes: number;
}

/** Every board that `make image` supports. */
export const BOARDS: readonly Board[] = [
  {
    name: 'pico',
    flashStart: 0x10000000,
    flashBytes: 2 << 20,
    sectorBytes: 4096,
    slots: { installed: 64 << 10, staged: (64 + 256) << 10, bytes: 256 << 10 },
    core: { sramStart: 0x20000000, sramBytes: 264 << 10 },
    uf2Family: 0xe48bff56,
  },
  {
    name: 'lm3s6965',
    flashStart: 0,
    flashBytes: 256 << 10,
    sectorBytes: 1024,
  },
  {
    name: 'riscv',
    flashStart: 0x20000000,
    flashBytes: 64 << 20,
    sectorBytes: 256 << 10,
  },
  {
    name: 'mps2-an505',
    flashStart: 0x10000000,
    flashBytes: 4 << 20,
    sectorBytes: 4096,
  },
];

/** Returns the board with this name; undefined if there is none. */
export function findBoard(name: string): Board | undefined {
  return BOARDS.find(board => board.name === name);
}
