import {
  describeDevice,
  HID_ENDPOINT,
  HID_INTERFACE,
  MS_OS_REQUEST,
  VENDOR_ENDPOINT,
  VENDOR_INTERFACE,
} from '@zbc-signer/emulator/usb';
import { TEST_PRODUCT_ID, TEST_VENDOR_ID } from '@zbc-signer/protocol/usb-ids';
import { notice } from './source-text.js';

const PER_LINE = 16;

const descriptors = describeDevice({
  vendorId: TEST_VENDOR_ID,
  productId: TEST_PRODUCT_ID,
  // Each board generates its own serial number.
  serialNumber: '',
});

function array(name: string, bytes: Uint8Array): string {
  const digits = [...bytes].map(byte => `0x${byte.toString(16).padStart(2, '0')}`);
  const lines: string[] = [];
  for (let at = 0; at < digits.length; at += PER_LINE)
    lines.push(`    ${digits.slice(at, at + PER_LINE).join(', ')},\n`);
  return `static const uint8_t ${name}[${bytes.length}] = {\n${lines.join('')}};\n`;
}

function content(): string {
  const { device, configuration, hid, hidReport, bos, strings, msOs } = descriptors;
  const fixed = strings.slice(0, -1);
  const stringNames = fixed.map((_, index) => `STRING_${index}`);
  return [
    notice('usb-descriptors.ts from emulator/src/usb/descriptors.ts').trimEnd(),
    '#pragma once',
    '#include <stdint.h>',
    '',
    'enum {',
    `  HID_INTERFACE = ${HID_INTERFACE},`,
    `  VENDOR_INTERFACE = ${VENDOR_INTERFACE},`,
    `  HID_ENDPOINT = ${HID_ENDPOINT},`,
    `  VENDOR_ENDPOINT = ${VENDOR_ENDPOINT},`,
    `  MS_OS_REQUEST = ${MS_OS_REQUEST},`,
    `  SERIAL_STRING = ${strings.length - 1},`,
    '};',
    array('DEVICE', device),
    array('CONFIGURATION', configuration),
    array('HID', hid),
    array('HID_REPORT', hidReport),
    array('BOS', bos),
    array('MS_OS', msOs),
    ...fixed.map((string, index) => array(stringNames[index]!, string)),
    `static const uint8_t *const STRING[SERIAL_STRING] = {${stringNames.join(', ')}};`,
    '',
  ].join('\n');
}

/** The emulator's USB descriptors, for the C code of the boards. */
export const usbDescriptors = { path: 'firmware/boards/common/generated/usb-descriptors.h', content };
