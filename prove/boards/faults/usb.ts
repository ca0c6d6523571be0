import type { FaultGroup } from '../fault.js';

const controller = 'pico/usb.c';
const control = 'pico/usb-control.c';
const interrupt = 'pico/usb-interrupt.c';

export const usb: FaultGroup = {
  board: 'pico',
  tests: ['usb', 'enumeration|endpoints'],
  faults: [
    {
      name: 'sets AVAILABLE together with the rest',
      file: controller,
      find: 'BUFFER_CONTROL(endpoint, direction) = value;',
      replace: 'BUFFER_CONTROL(endpoint, direction) = value | BUFFER_AVAILABLE;',
    },
    {
      name: 'sets AVAILABLE without waiting for the slower clock',
      file: controller,
      find: 'b 1f\\n1: b 1f\\n1: b 1f\\n1: b 1f\\n1: b 1f\\n1: b 1f\\n1:',
      replace: '',
    },
    {
      name: 'keeps the toggles of endpoint 0 over SETUP',
      file: control,
      find: '  usb_set_toggle(EP0, IN, true);\n',
      replace: '',
    },
    {
      name: 'takes its address before the status stage',
      file: control,
      find: 'new_address = (uint8_t)address;',
      replace: 'usb_set_address((uint8_t)address);',
    },
    {
      name: 'does not stall what it does not know',
      file: control,
      find: '  usb_stall(EP0, IN);\n  usb_stall(EP0, OUT);\n',
      replace: '',
      noticedBy: 'a device qualifier stalls',
    },
    {
      name: 'stalls endpoint 0 without EP_STALL_ARM',
      file: controller,
      find: 'if (endpoint == EP0) SET_BITS(USB_EP_STALL_ARM) =',
      replace: 'if (endpoint == EP0) USB_EP_STALL_ARM &= ~0u <<',
      noticedBy: 'a device qualifier stalls',
    },
    {
      name: 'does not take the status stage after data',
      file: control,
      find: '  usb_take(EP0, 0);\n',
      replace: '',
    },
    {
      name: 'ends no data of 64 bytes with an empty packet',
      file: control,
      find: 'ends_empty = length < setup->length && length % PACKET_BYTES == 0;',
      replace: 'ends_empty = false;',
      noticedBy: 'the configuration descriptor',
    },
    {
      name: 'sends more than the host asked for',
      file: control,
      find: 'left = length < setup->length ? length : setup->length;',
      replace: 'left = length;',
    },
    {
      name: 'answers with another descriptor',
      file: control,
      find: 'answer(setup, BOS, sizeof BOS)',
      replace: 'answer(setup, HID, sizeof HID)',
      noticedBy: 'the BOS descriptor',
    },
    {
      name: 'keeps toggles over SET_CONFIGURATION',
      file: controller,
      find: '  toggles[endpoint][direction] = halted[endpoint][direction] = false;\n  BUFFER_CONTROL(endpoint, direction) = 0;\n  ENDPOINT',
      replace:
        '  halted[endpoint][direction] = false;\n  BUFFER_CONTROL(endpoint, direction) = 0;\n  ENDPOINT',
      noticedBy: 'begin with DATA0 after SET_CONFIGURATION',
    },
    {
      name: 'keeps toggles over the end of a halt',
      file: controller,
      find: '  toggles[endpoint][direction] = halted[endpoint][direction] = false;\n  BUFFER_CONTROL(endpoint, direction) = 0;\n  if',
      replace: '  halted[endpoint][direction] = false;\n  BUFFER_CONTROL(endpoint, direction) = 0;\n  if',
      noticedBy: 'can be halted',
    },
    {
      name: 'reports no halt',
      file: controller,
      find: 'halted[endpoint][direction] = true;',
      replace: 'halted[endpoint][direction] = false;',
      noticedBy: 'endpoint 1 in can be halted',
    },
    {
      name: 'sends while it is halted',
      file: controller,
      find: ' && !halted[endpoint][IN]; }',
      replace: '; }',
      noticedBy: 'sends nothing while it is halted',
    },
    {
      name: 'takes a report while it is halted',
      file: controller,
      find: ' && !halted[endpoint][OUT];',
      replace: ';',
      noticedBy: 'takes nothing while it is halted',
    },
    {
      name: 'handles a SETUP before the reset that came before it',
      file: interrupt,
      find: 'if (reasons & INT_BUS_RESET) {',
      replace:
        'if (reasons & INT_SETUP_REQ) control_setup(USB_SETUP_LOW, USB_SETUP_HIGH);\n  if (reasons & INT_BUS_RESET) {\n    USB_SIE_STATUS = SIE_STATUS_SETUP_REC;\n    if (reasons & INT_SETUP_REQ) { USB_SIE_STATUS = SIE_STATUS_BUS_RESET; control_reset(); return; }',
      noticedBy: 'SETUP that waits behind a bus reset',
    },
    {
      name: 'has its interfaces before it is configured',
      file: control,
      find: 'return configuration && index <= VENDOR_INTERFACE;',
      replace: 'return index <= VENDOR_INTERFACE;',
      noticedBy: 'in the Address state',
    },
    {
      name: 'keeps toggles over SET_INTERFACE',
      file: control,
      find: '  usb_clear_endpoint(endpoint, IN);\n  usb_clear_endpoint(endpoint, OUT);\n  return acknowledge();',
      replace: '  return endpoint && acknowledge();',
      noticedBy: 'begin with DATA0 after SET_INTERFACE',
    },
    {
      name: 'enables no endpoint',
      file: controller,
      find: 'EP_CONTROL_ENABLE | EP_CONTROL_INTERRUPT_PER_BUFFER',
      replace: 'EP_CONTROL_INTERRUPT_PER_BUFFER',
      noticedBy: 'carry commands',
    },
    {
      name: 'makes the HID endpoints bulk',
      file: controller,
      find: 'endpoint == EP_HID ? TYPE_INTERRUPT : TYPE_BULK',
      replace: 'endpoint == EP_HID ? TYPE_BULK : TYPE_INTERRUPT',
      noticedBy: 'carry commands',
    },
    {
      name: 'arms a packet without FULL',
      file: controller,
      find: 'BUFFER_FULL | length',
      replace: 'length',
    },
    {
      name: 'sends before the host has read',
      file: controller,
      find: '    sending[endpoint] = true;\n',
      replace: '',
      noticedBy: 'take no more than the device can hold',
    },
    {
      name: 'takes a report before the last one was used',
      file: controller,
      find: '  has_received[endpoint] = true;\n',
      replace: '  has_received[endpoint] = true;\n  usb_take(endpoint, PACKET_BYTES);\n',
      noticedBy: 'carry commands',
    },
    {
      name: 'takes no second report',
      file: controller,
      find: 'const bool rearm = has_received[endpoint] && configured && !halted[endpoint][OUT];',
      replace: 'const bool rearm = false;',
      noticedBy: 'carry commands',
    },
    {
      name: 'shows itself to no host',
      file: controller,
      find: '  SET_BITS(USB_SIE_CTRL) = SIE_CTRL_PULLUP_EN;\n',
      replace: '',
    },
    {
      name: 'lets an unread reply block the other link',
      file: 'common/exchange.c',
      find: 'ABANDONED_MICROSECONDS = 1000000',
      replace: 'ABANDONED_MICROSECONDS = 100000000',
      noticedBy: 'a reply that its host leaves unread',
    },
  ],
};

export const review: FaultGroup = {
  board: 'pico',
  tests: ['usb|journeys', 'a review|a host'],
  faults: [
    {
      name: 'does not drop a review at a bus reset',
      file: control,
      find: '  usb_note_lost();\n  usb_set_address(0);',
      replace: '  usb_set_address(0);',
      noticedBy: 'dropped by a bus reset',
    },
    {
      name: 'does not tell the module that the host went away',
      file: 'common/exchange.c',
      find: '  if (lost) drop_host();\n',
      replace: '',
      noticedBy: 'dropped by a bus reset',
    },
  ],
};
