import type { FaultGroup } from '../fault.js';

const board = 'riscv/board.c';
const panelFile = 'panel/panel.c';
const flash = 'riscv/flash.c';

export const panel: FaultGroup = {
  guards: 'docs/APDU.md#uart',
  board: 'riscv',
  tests: ['journeys', 'a display'],
  faults: {
    [panelFile]: {
      'assumes that the panel shows every frame': ['  return panel_shows;\n', '  return true;\n'],
    },
  },
};

export const answers: FaultGroup = {
  guards: 'docs/APDU.md#uart',
  board: 'riscv',
  tests: ['panel', 'panel'],
  faults: {
    [panelFile]: {
      'accepts an answer about any frame': [' && value == frame_number', '', 'to an earlier frame'],
      'ignores late answers of the panel': ['(void) { return panel_shows; }', '(void) { return false; }'],
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
  guards: 'docs/PORTING.md#what-a-board-supplies',
  board: 'riscv',
  tests: ['journeys', 'the menu|a damaged'],
  faults: {
    [flash]: {
      'programs only one of the two chips': ['PROGRAM = 0x40 * BOTH', 'PROGRAM = 0x00'],
      'leaves flash in command mode': ['  REGISTER(address) = READ_ARRAY;\n', '', 'a damaged record'],
      'stores both copies of the settings in one sector': [
        'SECOND_DEVICE + 2 * SECTOR_BYTES',
        'SECOND_DEVICE + SECTOR_BYTES',
        'a damaged record',
      ],
    },
    [panelFile]: {
      'sees only the right key': ['value & (KEY_LEFT | KEY_RIGHT)', 'value & KEY_RIGHT'],
    },
  },
};

export const wiped: FaultGroup = {
  guards: 'docs/APDU.md#platform-rules',
  board: 'riscv',
  tests: ['journeys', 'a trap'],
  faults: {
    [board]: {
      'leaves memory as it is at a trap': ['1: sw zero, 0(%0)', '1: nop'],
    },
  },
};

export const vault: FaultGroup = {
  guards: 'docs/KEYSTORE.md#with-a-vault',
  board: 'riscv',
  hasVault: true,
  tests: ['riscv/vault', 'wherever power fails'],
  faults: {
    'common/record.c': {
      'keeps a vault in one sector': ['sectors[before == 0 ? 1 : 0]', 'sectors[before < 0]'],
    },
    'vault-model/vault.c': {
      'leaves erased contents in the other sector of a vault': ' == DONE ? keep(contents) : FAILED',
      'keeps the proof of an old PIN in a vault': [
        'memcpy(contents.proof, new_proof, KEY_BYTES);',
        'memcpy(contents.proof, old_proof, KEY_BYTES);',
        'a seed is kept',
      ],
      'erases the count of a vault before its record': [
        '  const contents_t contents = {.erasures',
        '  contents_t counted = load();\n  counted.count = 0;\n  (void)keep(counted);\n  const contents_t contents = {.erasures',
      ],
    },
  },
};
