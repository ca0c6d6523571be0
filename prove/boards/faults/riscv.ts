import type { FaultGroup } from '../fault.js';

const board = 'riscv/board.c';
const panelFile = 'panel/panel.c';
const flash = 'riscv/flash.c';

export const panel: FaultGroup = {
  board: 'riscv',
  tests: ['journeys', 'a display'],
  faults: [
    {
      name: 'takes it that the panel shows every frame',
      file: panelFile,
      find: '  return panel_shows;\n',
      replace: '  return true;\n',
    },
  ],
};

export const answers: FaultGroup = {
  board: 'riscv',
  tests: ['panel', 'panel'],
  faults: [
    {
      name: 'takes what the panel said of any frame',
      file: panelFile,
      find: ' && value == frame_number',
      replace: '',
      noticedBy: 'of an earlier frame',
    },
    {
      name: 'takes nothing that the panel says late',
      file: panelFile,
      find: 'bool display_took_late(void) { return panel_shows; }',
      replace: 'bool display_took_late(void) { return false; }',
    },
    {
      name: 'counts a press that began before the panel answered',
      file: 'common/front.c',
      find: '  buttons_forget();\n  shown = true;\n',
      replace: '  shown = true;\n',
      noticedBy: 'began before the panel answered',
    },
  ],
};

export const cells: FaultGroup = {
  board: 'riscv',
  tests: ['journeys', 'the menu|a damaged'],
  faults: [
    {
      name: 'programs only one of the two chips',
      file: flash,
      find: 'PROGRAM = 0x40 * BOTH',
      replace: 'PROGRAM = 0x00',
    },
    {
      name: 'leaves flash in command mode',
      file: flash,
      find: '  REGISTER(address) = READ_ARRAY;\n',
      replace: '',
      noticedBy: 'a damaged record',
    },
    {
      name: 'has both settings sectors in one',
      file: flash,
      find: 'SECOND_DEVICE + 2 * SECTOR_BYTES',
      replace: 'SECOND_DEVICE + SECTOR_BYTES',
      noticedBy: 'a damaged record',
    },
    {
      name: 'sees the right key only',
      file: board,
      find: 'value & (KEY_LEFT | KEY_RIGHT)',
      replace: 'value & KEY_RIGHT',
    },
  ],
};

export const wiped: FaultGroup = {
  board: 'riscv',
  tests: ['journeys', 'a trap'],
  faults: [
    {
      name: 'leaves memory as it is at a trap',
      file: board,
      find: '1: sw zero, 0(%0)',
      replace: '1: nop',
    },
  ],
};

export const vault: FaultGroup = {
  board: 'riscv',
  hasVault: true,
  tests: ['riscv/vault', 'wherever power goes'],
  faults: [
    {
      name: 'keeps a vault in one sector',
      file: 'common/record.c',
      find: 'sectors[before == 0 ? 1 : 0]',
      replace: 'sectors[before < 0]',
    },
    {
      name: 'leaves what it erased in the other sector of a vault',
      file: 'vault-model/vault.c',
      find: 'keep(contents) == DONE ? keep(contents) : FAILED',
      replace: 'keep(contents)',
    },
    {
      name: 'erases the count of a vault before its record',
      file: 'vault-model/vault.c',
      find: '  const contents_t contents = {.erasures',
      replace:
        '  contents_t counted = load();\n  counted.count = 0;\n  (void)keep(counted);\n  const contents_t contents = {.erasures',
    },
  ],
};
