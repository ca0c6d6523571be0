import type { FaultGroup } from '../fault.js';

const display = 'lm3s6965/display.c';
const flash = 'lm3s6965/flash.c';
const board = 'lm3s6965/board.c';

export const oled: FaultGroup = {
  board: 'lm3s6965',
  tests: ['boot', 'boots to the menu'],
  faults: [
    {
      name: 'swaps the pixels of a byte',
      file: display,
      find: '(bits & 2 ? 0xF0 : 0) | (bits & 1 ? 0x0F : 0)',
      replace: '(bits & 1 ? 0xF0 : 0) | (bits & 2 ? 0x0F : 0)',
    },
    {
      name: 'sends pixels as commands',
      file: display,
      find: '  GPIODATA(GPIOC, PIN_DATA_NOT_COMMAND) = PIN_DATA_NOT_COMMAND;\n',
      replace: '',
    },
    {
      name: 'draws in a window that is too small',
      file: display,
      find: '0x15, 0, 63, 0x75, 0, 63,',
      replace: '0x15, 0, 62, 0x75, 0, 63,',
    },
    {
      name: 'shows a grey',
      file: display,
      find: '? 0xF0 : 0',
      replace: '? 0x70 : 0',
    },
  ],
};

export const pins: FaultGroup = {
  board: 'lm3s6965',
  tests: ['keys|journeys', 'select|the menu'],
  faults: [
    {
      name: 'takes left for right',
      file: board,
      find: 'PIN_LEFT = 1 << 2, PIN_RIGHT = 1 << 3',
      replace: 'PIN_LEFT = 1 << 3, PIN_RIGHT = 1 << 2',
    },
    {
      name: 'does not see the select key',
      file: board,
      find: '  if (!GPIODATA(GPIOF, PIN_SELECT)) return KEY_LEFT | KEY_RIGHT;\n',
      replace: '',
    },
    {
      name: 'writes flash without the key',
      file: flash,
      find: 'FMC = FMC_WRKEY | action;',
      replace: 'FMC = action;',
    },
    {
      name: 'erases no page',
      file: flash,
      find: '  command(FMC_ERASE);\n',
      replace: '',
      noticedBy: 'survive the loss of power',
    },
    {
      name: 'writes every word at the start of the page',
      file: flash,
      find: 'FMA = offset + at;',
      replace: 'FMA = offset;',
      noticedBy: 'survive the loss of power',
    },
  ],
};

export const clock: FaultGroup = {
  board: 'lm3s6965',
  tests: ['clock', 'the time goes on'],
  faults: [
    {
      name: 'counts ticks in their interrupt alone',
      file: board,
      find: '    count_tick();\n  } while',
      replace: '  } while',
    },
  ],
};

export const ram: FaultGroup = {
  board: 'lm3s6965',
  tests: ['journeys', 'a trap'],
  faults: [
    {
      name: 'leaves memory as it is at a trap',
      file: board,
      find: '1: stmia %0!, {r2}',
      replace: '1: add %0, #4',
    },
  ],
};
