import type { FaultGroup } from '../fault.js';

const gateway = 'mps2-an505/gateway.c';

export const worlds: FaultGroup = {
  board: 'mps2-an505',
  tests: ['trustzone', ''],
  faults: {
    [gateway]: {
      'writes a report wherever the other world says': [
        'void *to = cmse_check_address_range(report, REPORT_BYTES, CMSE_NONSECURE | CMSE_MPU_READWRITE);',
        'void *to = report;',
      ],
      'takes a report of a new host for one of the last': ['has_received && !was_lost', 'has_received'],
    },
    'mps2-an505/trustzone.c': {
      'lets the other world hold its interrupts and reset the chip': [
        'AIRCR_VECTKEY | AIRCR_PRIS | AIRCR_SYSRESETREQS',
        'AIRCR_VECTKEY',
      ],
      'gives the other world all peripherals of a controller': [
        'APBNSPPCEXP1 |= ports;',
        'APBNSPPCEXP1 |= ports | ~0u;',
        'the second lock alone',
      ],
    },
  },
};

export const ending: FaultGroup = {
  board: 'mps2-an505',
  tests: ['journeys', 'a trap'],
  faults: {
    [gateway]: {
      'waits in a trap for another world that does not run': [
        'void links_poll(void) { is_sending = false; }',
        'void links_poll(void) {}',
      ],
    },
  },
};
