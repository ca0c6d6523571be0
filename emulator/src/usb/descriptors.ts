import { FIRMWARE_MAJOR, FIRMWARE_MINOR } from '@zbc-signer/protocol/commands';

export const REPORT_LENGTH = 64;
/** The number of the HID interface. */
export const HID_INTERFACE = 0;
/** The number of the vendor interface. */
export const VENDOR_INTERFACE = 1;
/** Endpoint numbers; each has an IN and an OUT endpoint. */
export const HID_ENDPOINT = 1;
/** The number of the vendor endpoint. */
export const VENDOR_ENDPOINT = 2;
/** The vendor request for the WebUSB descriptors, which the BOS descriptor announces. */
export const WEBUSB_REQUEST = 1;
/** The vendor request for the Microsoft OS 2.0 descriptors. */
export const MS_OS_REQUEST = 2;

const LANDING_PAGE = 1;
const NO_PAGE = 0;
const HTTPS = 1;
const DEVICE = 1;
const CONFIGURATION = 2;
const STRING = 3;
const INTERFACE = 4;
const ENDPOINT = 5;
const BOS = 15;
const DEVICE_CAPABILITY = 16;
const PLATFORM = 5;
const HID = 0x21;
const HID_REPORT = 0x22;
const IN = 0x80;
const BULK = 2;
const INTERRUPT = 3;
const BUS_POWERED = 0x80;
const POWER_100_MA = 50;
const ENGLISH = 0x0409;

/** The indexes of the strings. */
const MANUFACTURER = 1;
const PRODUCT = 2;
const SERIAL_NUMBER = 3;
/**
 * Interfaces have no names, because a host that requests a name with a time limit could not open a busy
 * device.
 */
const NO_NAME = 0;

/** The ids and names of this device on USB. */
export interface UsbIdentity {
  vendorId: number;
  productId: number;
  /** Printable ASCII. Hosts distinguish devices by this number. */
  serialNumber: string;
  /** A host and path without a scheme, which Chrome offers to open when the device is connected. */
  landingPage?: string | undefined;
}

/** The device's answers to GET_DESCRIPTOR and to the two vendor requests. */
export interface Descriptors {
  device: Uint8Array;
  configuration: Uint8Array;
  hid: Uint8Array;
  hidReport: Uint8Array;
  bos: Uint8Array;
  /** String descriptors by index. The descriptor with index 0 lists the languages. */
  strings: readonly Uint8Array[];
  landingPage: Uint8Array | undefined;
  msOs: Uint8Array;
}

const u16 = (value: number): number[] => [value & 0xff, value >> 8];
const utf16 = (text: string): number[] => [...text].flatMap(letter => u16(letter.charCodeAt(0)));
const uuid = (hex: string): number[] => [...Buffer.from(hex, 'hex')];

/** A descriptor with its length before it. */
function descriptor(type: number, ...content: number[]): number[] {
  return [content.length + 2, type, ...content];
}

/** Vendor usage page FFA0, with one 64-byte report in each direction. */
const hidReport = Uint8Array.of(
  ...[0x06, 0xa0, 0xff, 0x09, 0x01, 0xa1, 0x01],
  ...[0x09, 0x03, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, REPORT_LENGTH, 0x81, 0x08],
  ...[0x09, 0x04, 0x15, 0x00, 0x26, 0xff, 0x00, 0x75, 0x08, 0x95, REPORT_LENGTH, 0x91, 0x08],
  0xc0,
);

const hid = descriptor(HID, ...u16(0x0111), 0, 1, HID_REPORT, ...u16(hidReport.length));

function endpoint(address: number, attributes: number, interval: number): number[] {
  return descriptor(ENDPOINT, address, attributes, ...u16(REPORT_LENGTH), interval);
}

const interfaces = [
  ...descriptor(INTERFACE, HID_INTERFACE, 0, 2, 3, 0, 0, NO_NAME),
  ...hid,
  ...endpoint(IN | HID_ENDPOINT, INTERRUPT, 1),
  ...endpoint(HID_ENDPOINT, INTERRUPT, 1),
  // Chrome's WebUSB refuses interfaces of the HID class, so a second interface is needed.
  ...descriptor(INTERFACE, VENDOR_INTERFACE, 0, 2, 0xff, 0, 0, NO_NAME),
  ...endpoint(IN | VENDOR_ENDPOINT, BULK, 0),
  ...endpoint(VENDOR_ENDPOINT, BULK, 0),
];

const configuration = [
  ...[9, CONFIGURATION, ...u16(9 + interfaces.length), 2, 1, 0, BUS_POWERED, POWER_100_MA],
  ...interfaces,
];

const WINDOWS_8_1 = [0x00, 0x00, 0x03, 0x06];
const INTERFACE_GUID = '{6D9C3A0E-4A53-4B52-9E0C-5A42435F5349}';

/** A block of the MS OS 2.0 descriptor set: its length and type before its content. */
function msBlock(type: number, ...content: number[]): number[] {
  return [...u16(content.length + 4), ...u16(type), ...content];
}

/** The header of a subset has the length of the whole subset. */
function msSubset(type: number, index: number, ...blocks: number[]): number[] {
  return [...u16(8), ...u16(type), index, 0, ...u16(8 + blocks.length), ...blocks];
}

/** Makes Windows use WinUSB for the vendor interface only. */
function msOsSet(): number[] {
  const name = utf16('DeviceInterfaceGUIDs\0');
  const guids = utf16(`${INTERFACE_GUID}\0\0`);
  const blocks = [
    ...msBlock(3, ...Buffer.from('WINUSB\0\0'), ...new Array<number>(8).fill(0)),
    ...msBlock(4, ...u16(7), ...u16(name.length), ...name, ...u16(guids.length), ...guids),
  ];
  const subset = msSubset(1, 0, ...msSubset(2, VENDOR_INTERFACE, ...blocks));
  return [...u16(10), ...u16(0), ...WINDOWS_8_1, ...u16(10 + subset.length), ...subset];
}

const msOs = msOsSet();

function platformCapability(id: string, ...content: number[]): number[] {
  return descriptor(DEVICE_CAPABILITY, PLATFORM, 0, ...uuid(id), ...content);
}

const capabilities = (landingPage: number): number[] => [
  ...platformCapability('38b6083409a9a0478bfda0768815b665', ...u16(0x0100), WEBUSB_REQUEST, landingPage),
  ...platformCapability(
    'df60ddd88945c74c9cd2659d9e648a9f',
    ...WINDOWS_8_1,
    ...u16(msOs.length),
    MS_OS_REQUEST,
    0,
  ),
];

function string(text: string): Uint8Array {
  return Uint8Array.from(descriptor(STRING, ...utf16(text)));
}

/** The value of bcdUSB is 2.1, which the BOS descriptor requires. */
function device({ vendorId, productId }: UsbIdentity): number[] {
  const release = u16((FIRMWARE_MAJOR << 8) | (FIRMWARE_MINOR << 4));
  const strings = [MANUFACTURER, PRODUCT, SERIAL_NUMBER];
  const ids = [...u16(vendorId), ...u16(productId), ...release];
  return descriptor(DEVICE, ...u16(0x0210), 0, 0, 0, REPORT_LENGTH, ...ids, ...strings, 1);
}

/** The descriptors of an emulated device. */
export function describeDevice(identity: UsbIdentity): Descriptors {
  const { landingPage } = identity;
  const offered = capabilities(landingPage === undefined ? NO_PAGE : LANDING_PAGE);
  return {
    device: Uint8Array.from(device(identity)),
    configuration: Uint8Array.from(configuration),
    hid: Uint8Array.from(hid),
    hidReport,
    bos: Uint8Array.from([5, BOS, ...u16(5 + offered.length), 2, ...offered]),
    strings: [
      Uint8Array.from(descriptor(STRING, ...u16(ENGLISH))),
      ...['ZBC', 'ZBC Signer', identity.serialNumber].map(string),
    ],
    landingPage:
      landingPage === undefined
        ? undefined
        : Uint8Array.from(descriptor(STRING, HTTPS, ...Buffer.from(landingPage))),
    msOs: Uint8Array.from(msOs),
  };
}
