import type { FaultGroup } from '../fault.js';

const gateway = 'mps2-an505/gateway.c';

export const worlds: FaultGroup = {
  guards: 'docs/boards/mps2-an505.md#worlds',
  board: 'mps2-an505',
  tests: ['trustzone', ''],
  faults: {
    [gateway]: {
      'writes a report to any address that the non-secure world gives': [
        'void *to = cmse_check_address_range(report, REPORT_BYTES, CMSE_NONSECURE | CMSE_MPU_READWRITE);',
        'void *to = report;',
      ],
      'treats a report of a new host as one of the previous host': ' && !was_lost',
    },
    'mps2-an505/trustzone.c': {
      'lets the non-secure world hold its interrupts and reset the chip': [
        'AIRCR_VECTKEY | AIRCR_PRIS | AIRCR_SYSRESETREQS',
        'AIRCR_VECTKEY',
      ],
      'gives the non-secure world all peripherals of a controller': [
        'APBNSPPCEXP1 |= ports;',
        'APBNSPPCEXP1 |= ports | ~0u;',
        'the peripheral controller protects',
      ],
    },
  },
};

export const ending: FaultGroup = {
  guards: 'docs/APDU.md#platform-rules',
  board: 'mps2-an505',
  tests: ['journeys', 'a trap'],
  faults: {
    [gateway]: {
      'waits in a trap for the non-secure world, which no longer runs': ['{ is_sending = false; }', '{}'],
    },
  },
};
