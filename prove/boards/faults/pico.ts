import type { FaultGroup } from '../fault.js';

const front = 'common/front.c';

export const rest: FaultGroup = {
  board: 'pico',
  tests: ['pico/display', ''],
  faults: [
    {
      name: 'takes a press for a page that is dark',
      file: front,
      find: 'display_rest(true)) shown = false;',
      replace: '!display_rest(true)) shown = false;',
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
