import type { FaultGroup } from '../fault.js';

const control = 'pico/usb-control.c';
const interrupt = 'pico/usb-interrupt.c';

export const usb: FaultGroup = {
  guards: 'docs/APDU.md#transports',
  board: 'pico',
  tests: ['usb', 'enumeration|endpoints'],
  faults: {
    'pico/usb.c': {
      'sets AVAILABLE together with the rest': [
        '|= BUFFER_DATA1;\n  BUFFER_CONTROL(endpoint, direction) = value;',
        '|= BUFFER_DATA1;\n  BUFFER_CONTROL(endpoint, direction) = value | BUFFER_AVAILABLE;',
      ],
      'sets AVAILABLE without waiting for the slower clock': [
        '__asm__ volatile("b 1f\\n1: b 1f\\n1: b 1f\\n1: b 1f\\n1: b 1f\\n1: b 1f\\n1:" ::: "memory");\n  uint32_t armed;\n  do {\n    armed = BUFFER_CONTROL(endpoint, direction) | BUFFER_AVAILABLE;\n  } while (armed != (BUFFER_CONTROL(endpoint, direction) | BUFFER_AVAILABLE));',
        'const uint32_t armed = BUFFER_CONTROL(endpoint, direction) | BUFFER_AVAILABLE;',
      ],
      'stalls endpoint 0 without EP_STALL_ARM': [
        'if (endpoint == EP0) SET_BITS(USB_EP_STALL_ARM) =',
        'if (endpoint == EP0) USB_EP_STALL_ARM &= ~0u <<',
        'a device qualifier stalls',
      ],
      'keeps data toggles across SET_CONFIGURATION': [
        '  toggles[endpoint][direction] = halted[endpoint][direction] = false;\n  empty(endpoint, direction, 0);\n  ENDPOINT',
        '  halted[endpoint][direction] = false;\n  empty(endpoint, direction, 0);\n  ENDPOINT',
        'begin with DATA0 after SET_CONFIGURATION',
      ],
      'keeps data toggles across the end of a halt': [
        '  toggles[endpoint][direction] = halted[endpoint][direction] = false;\n  empty(endpoint, direction, 0);\n  if',
        '  halted[endpoint][direction] = false;\n  empty(endpoint, direction, 0);\n  if',
        'can be halted',
      ],
      'reports no halt': ['[direction] = true;', '[direction] = false;', 'endpoint 1 in can be halted'],
      'sends while it is halted': [' && !halted[endpoint][IN]; }', '; }', 'sends nothing while it is halted'],
      'takes reports while halted': [' && !halted[endpoint][OUT];', ';', 'takes nothing while it is halted'],
      'enables no endpoint': ['EP_CONTROL_ENABLE | ', '', 'carry commands'],
      'makes the HID endpoints bulk': [
        'endpoint == EP_HID ? TYPE_INTERRUPT : TYPE_BULK',
        'endpoint == EP_HID ? TYPE_BULK : TYPE_INTERRUPT',
        'carry commands',
      ],
      'arms a packet without FULL': ['IN, BUFFER_FULL | length', 'IN, length'],
      'sends too early': ['    sending[endpoint] = true;\n', '', 'accept no more than the device can hold'],
      'accepts a report before the previous one was used': [
        '  has_received[endpoint] = true;\n',
        '  has_received[endpoint] = true;\n  usb_take(endpoint, PACKET_BYTES);\n',
        'carry commands',
      ],
      'accepts no second report': [
        'const bool rearm = has_received[endpoint] && configured && !halted[endpoint][OUT];',
        'const bool rearm = false;',
        'carry commands',
      ],
      'arms the bulk endpoint at any point of a frame': [
        'if (endpoint == EP_VENDOR) hold_until_frame();\n  else ',
        '',
        'not armed late',
      ],
      'sends data after a halt that it had held back': [
        '  if (endpoint == EP_VENDOR && direction == IN) let_go();\n',
        '',
        'not armed late',
      ],
      'treats power without a host as a suspended bus': [' && configured;', ';', 'with power only'],
    },
    'pico/flash.c': {
      'treats a start of frame that waited for flash as new': [
        '  if (RESETS_RESET_DONE & RESET_USBCTRL) (void)USB_SOF_RD;\n',
        '',
        'nor is it',
      ],
    },
    [control]: {
      'keeps the data toggles of endpoint 0 across SETUP': '  usb_set_toggle(EP0, IN, true);\n',
      'sets its address too early': ['new_address = (uint8_t)address;', 'usb_set_address((uint8_t)address);'],
      'does not stall unknown requests': [
        '  usb_stall(EP0, IN);\n  usb_stall(EP0, OUT);\n',
        '',
        'a device qualifier stalls',
      ],
      'does not accept the status stage after data': '  usb_take(EP0, 0);\n',
      'omits the empty packet after data of 64 bytes': [
        'ends_empty = length < asked && length % PACKET_BYTES == 0;',
        'ends_empty = false;',
        'the configuration descriptor',
      ],
      'sends more than the host asked for': ['end = whole < asked ? whole : asked;', 'end = whole;'],
      'answers with a wrong descriptor': ['(setup, OF_BOS)', '(setup, OF_HID)', 'the BOS descriptor'],
      'reports its interfaces before it is configured': [
        'return configuration && index <= VENDOR_INTERFACE;',
        'return index <= VENDOR_INTERFACE;',
        'in the Address state',
      ],
      'keeps data toggles across SET_INTERFACE': [
        '  usb_clear_endpoint(endpoint, IN);\n  usb_clear_endpoint(endpoint, OUT);\n  return acknowledge();',
        '  return endpoint && acknowledge();',
        'begin with DATA0 after SET_INTERFACE',
      ],
    },
    [interrupt]: {
      'never enables its pull-up, so that no host detects it': [
        '  SET_BITS(USB_SIE_CTRL) = SIE_CTRL_PULLUP_EN;\n',
        '',
      ],
      'handles a SETUP before an earlier bus reset': [
        'if (reasons & INT_BUS_RESET) {',
        'if (reasons & INT_SETUP_REQ) control_setup(USB_SETUP_LOW, USB_SETUP_HIGH);\n  if (reasons & INT_BUS_RESET) {\n    USB_SIE_STATUS = SIE_STATUS_SETUP_REC;\n    if (reasons & INT_SETUP_REQ) { USB_SIE_STATUS = SIE_STATUS_BUS_RESET; control_reset(); return; }',
        'SETUP that waits during a bus reset',
      ],
    },
    'pico/connection.c': {
      'does not treat a busy bus as idle after its reset': ['    force_idle();\n', '', 'never idle'],
    },
    'common/front.c': {
      'leaves the display on while the bus sleeps': [
        '  else if (display_rest(true)) shown = false;\n',
        '',
        'turns display and PLLs off',
      ],
      'shows a press while the bus sleeps': ['  if (sleeps) return;\n', '', 'turns display and PLLs off'],
    },
    'pico/sleep.c': {
      'does not check the line of a suspended bus': [' || !is_line_idle()', '', 'turns display and PLLs off'],
    },
    'common/exchange.c': {
      'asks twice for a report that an interrupt may withdraw': [
        'take_report(link, report);',
        'take_report(link, link_received(link));',
        'just before (a|its) report is read',
      ],
      'lets an unread reply block the other link': [
        'ABANDONED_MICROSECONDS = 1000000',
        'ABANDONED_MICROSECONDS = 100000000',
        'a reply that its host leaves unread',
      ],
    },
  },
};

export const review: FaultGroup = {
  guards: 'docs/THREATS.md#guarantees',
  board: 'pico',
  tests: ['usb|journeys', 'a review|a host'],
  faults: {
    [control]: {
      'does not drop a review at a bus reset': [
        '  usb_note_lost();\n  usb_set_address(0);',
        '  usb_set_address(0);',
        'dropped by a bus reset',
      ],
    },
    'common/exchange.c': {
      'does not report a lost host': ['  if (lost) drop_host();\n', '', 'dropped by a bus reset'],
    },
  },
};
