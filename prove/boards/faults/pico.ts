import type { FaultGroup } from '../fault.js';

const front = 'common/front.c';

export const rest: FaultGroup = {
  board: 'pico',
  tests: ['pico/display', ''],
  faults: [
    {
      name: 'takes a press for a page that is dark',
      file: front,
      find: ' && display_rest(true)) shown = false;',
      replace: ' && !display_rest(true)) shown = false;',
      noticedBy: 'goes dark',
    },
    {
      name: 'does not free the bus of its display',
      file: 'pico/display.c',
      find: '  free_bus();\n',
      replace: '  (void)free_bus;\n',
      noticedBy: 'interrupted in a byte',
    },
  ],
};

const board = 'pico/board.c';
const mpu = 'pico/mpu.c';
const start = 'pico/start.c';

export const hang: FaultGroup = {
  board: 'pico',
  tests: ['pico/faults', ''],
  faults: [
    {
      name: 'runs no watchdog',
      file: board,
      find: '  start_watchdog(HANG_MILLISECONDS);\n',
      replace: '',
      noticedBy: 'resets the chip after 8 s',
    },
    {
      name: 'feeds its watchdog in an interrupt',
      file: 'pico/keys.c',
      find: '  TIMER_INTR = 1;\n',
      replace: '  TIMER_INTR = 1;\n  board_begin_turn();\n',
      noticedBy: 'resets the chip after 8 s',
    },
    {
      name: 'never feeds its watchdog',
      file: 'common/main.c',
      find: '    board_begin_turn();\n',
      replace: '',
      noticedBy: 'nothing to do',
    },
    {
      name: 'clears no more than its data at the start',
      file: start,
      find: 'word < stack;',
      replace: 'word < &bss_start + 11000;',
      noticedBy: 'resets the chip after 8 s',
    },
    {
      name: 'keeps its vectors in flash',
      file: start,
      find: 'SCB_VTOR = (uint32_t)(uintptr_t)&text_start;',
      replace: 'SCB_VTOR = (uint32_t)(uintptr_t)&text_in_flash;',
      noticedBy: 'while flash is erased',
    },
    {
      name: 'executes data',
      file: mpu,
      find: 'ALL_EIGHTHS >> 1, READ_WRITE | NEVER_EXECUTED',
      replace: 'ALL_EIGHTHS >> 1, READ_WRITE',
      noticedBy: 'code in data',
    },
    {
      name: 'has no guard below its stack',
      file: mpu,
      find: 'ALL_EIGHTHS >> 1, ',
      replace: 'ALL_EIGHTHS, ',
      noticedBy: 'below the stack',
    },
    {
      name: 'writes to code',
      file: mpu,
      find: 'set_region(5, 0x20000000, KB_128, ALL_EIGHTHS, READ_ONLY',
      replace: 'set_region(5, 0x20000000, KB_128, ALL_EIGHTHS, READ_WRITE',
      noticedBy: 'a store into code',
    },
    {
      name: 'protects no memory',
      file: mpu,
      find: 'MPU_CTRL = CTRL_ENABLE',
      replace: 'MPU_CTRL = 0',
      noticedBy: 'is on',
    },
  ],
};
