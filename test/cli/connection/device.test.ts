import { HidTransport, HttpTransport, TcpTransport } from '@zbc-signer/host/node';
import { openTransport } from '#cli/connection/device.js';

test('--device selects the transport', () => {
  expect(openTransport('hid')).toBeInstanceOf(HidTransport);
  expect(openTransport('hid:2c97:1001')).toBeInstanceOf(HidTransport);
  expect(openTransport('http://127.0.0.1:5000')).toBeInstanceOf(HttpTransport);
  expect(openTransport('tcp://[::1]:9999')).toBeInstanceOf(TcpTransport);
});

test.each(['', 'usb', 'tcp://127.0.0.1', 'https://127.0.0.1'])('the device cannot be %j', device => {
  expect(() => openTransport(device)).toThrow('the device must be');
});
