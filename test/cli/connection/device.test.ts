import { HidTransport, HttpTransport, TcpTransport, UsbTransport } from '@zbc-signer/host/node';
import { openTransport } from '#cli/connection/device.js';

test('--device selects the transport', () => {
  expect(openTransport('hid')).toBeInstanceOf(HidTransport);
  expect(openTransport('hid:2c97:1001')).toBeInstanceOf(HidTransport);
  expect(openTransport('hid:EMU0001')).toBeInstanceOf(HidTransport);
  expect(openTransport('usb')).toBeInstanceOf(UsbTransport);
  expect(openTransport('usb:EMU0001')).toBeInstanceOf(UsbTransport);
  expect(openTransport('USB:2c97:1001:EMU0001')).toBeInstanceOf(UsbTransport);
  expect(openTransport('http://127.0.0.1:5000')).toBeInstanceOf(HttpTransport);
  expect(openTransport('tcp://[::1]:9999')).toBeInstanceOf(TcpTransport);
});

test.each(['', 'usb:', 'usb:1:2:3:4', 'tcp://127.0.0.1', 'https://127.0.0.1'])(
  'the device cannot be %j',
  device => {
    expect(() => openTransport(device)).toThrow('the device must be');
  },
);
