import type { FaultGroup } from '../fault.js';

const board = 'riscv/board.c';
const panelFile = 'panel/panel.c';
const flash = 'riscv/flash.c';

export const panel: FaultGroup = {
  board: 'riscv',
  tests: ['journeys', 'a display'],
  faults: {
    [panelFile]: {
      'takes it that the panel shows every frame': ['  return panel_shows;\n', '  return true;\n'],
    },
  },
};

export const answers: FaultGroup = {
  board: 'riscv',
  tests: ['panel', 'panel'],
  faults: {
    [panelFile]: {
      'takes what the panel said of any frame': [' && value == frame_number', '', 'of an earlier frame'],
      'takes nothing that the panel says late': [
        'bool display_took_late(void) { return panel_shows; }',
        'bool display_took_late(void) { return false; }',
      ],
    },
    'common/front.c': {
      'counts a press that began before the panel answered': [
        '  buttons_forget();\n  shown = display_took_late();\n',
        '  shown = display_took_late();\n',
        'began before the panel answered',
      ],
    },
  },
};

export const cells: FaultGroup = {
  board: 'riscv',
  tests: ['journeys', 'the menu|a damaged'],
  faults: {
    [flash]: {
      'programs only one of the two chips': ['PROGRAM = 0x40 * BOTH', 'PROGRAM = 0x00'],
      'leaves flash in command mode': ['  REGISTER(address) = READ_ARRAY;\n', '', 'a damaged record'],
      'has both settings sectors in one': [
        'SECOND_DEVICE + 2 * SECTOR_BYTES',
        'SECOND_DEVICE + SECTOR_BYTES',
        'a damaged record',
      ],
    },
    [panelFile]: {
      'sees the right key only': ['value & (KEY_LEFT | KEY_RIGHT)', 'value & KEY_RIGHT'],
    },
  },
};

export const wiped: FaultGroup = {
  board: 'riscv',
  tests: ['journeys', 'a trap'],
  faults: {
    [board]: {
      'leaves memory as it is at a trap': ['1: sw zero, 0(%0)', '1: nop'],
    },
  },
};

export const vault: FaultGroup = {
  board: 'riscv',
  hasVault: true,
  tests: ['riscv/vault', 'wherever power goes'],
  faults: {
    'common/record.c': {
      'keeps a vault in one sector': ['sectors[before == 0 ? 1 : 0]', 'sectors[before < 0]'],
    },
    'vault-model/vault.c': {
      'leaves what it erased in the other sector of a vault': [
        'keep(contents) == DONE ? keep(contents) : FAILED',
        'keep(contents)',
      ],
      'erases the count of a vault before its record': [
        '  const contents_t contents = {.erasures',
        '  contents_t counted = load();\n  counted.count = 0;\n  (void)keep(counted);\n  const contents_t contents = {.erasures',
      ],
    },
  },
};
