import {
  HidTransport,
  HttpTransport,
  openTransport,
  TcpTransport,
  UartTransport,
  UsbipTransport,
  UsbTransport,
} from '@zbc-signer/host/node';

test('the name of a device selects its transport', () => {
  expect(openTransport('hid')).toBeInstanceOf(HidTransport);
  expect(openTransport('hid:2c97:1001')).toBeInstanceOf(HidTransport);
  expect(openTransport('hid:EMU0001')).toBeInstanceOf(HidTransport);
  expect(openTransport('usb')).toBeInstanceOf(UsbTransport);
  expect(openTransport('usb:EMU0001')).toBeInstanceOf(UsbTransport);
  expect(openTransport('USB:2c97:1001:EMU0001')).toBeInstanceOf(UsbTransport);
  expect(openTransport('http://127.0.0.1:5000')).toBeInstanceOf(HttpTransport);
  expect(openTransport('tcp://[::1]:9999')).toBeInstanceOf(TcpTransport);
  expect(openTransport('uart://[::1]:9999')).toBeInstanceOf(UartTransport);
  expect(openTransport('usbip://[::1]:3240')).toBeInstanceOf(UsbipTransport);
});

test.each(['', 'usb:', 'usb:1:2:3:4', 'tcp://127.0.0.1', 'uart://127.0.0.1', 'https://127.0.0.1'])(
  '%j is refused as the name of a device',
  device => {
    expect(() => openTransport(device)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect(() => openTransport(device)).toThrow(
      'the device must be hid, usb, or http://, tcp://, uart:// or usbip://',
    );
  },
);
