/** The layout of a board's flash; all sizes in bytes. */
export interface Board {
  name: string;
  /** The address of the first byte of flash. */
  flashStart: number;
  flashBytes: number;
  /** The smallest unit that can be erased. */
  sectorBytes: number;
  /** Slots of the board's loader (firmware/boards/NAME/loader); absent without one. */
  slots?: Slots;
  /** The properties that the loader checks a program against; present if there are slots. */
  core?: Core;
  /** The family of UF2 files; absent if the board does not accept UF2. */
  uf2Family?: number;
}

/** The bounds, in bytes, of a Cortex-M's initial stack pointer. */
export interface Core {
  sramStart: number;
  sramBytes: number;
}

/** Offsets from the start of flash, in bytes: the slot that images start from, and the one for updates. */
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

/** The board with this name; undefined if there is none. */
export function findBoard(name: string): Board | undefined {
  return BOARDS.find(board => board.name === name);
}
