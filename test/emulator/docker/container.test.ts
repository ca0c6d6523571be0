import { Container } from '#emulator/docker/container.js';

const spec = { HostConfig: { PortBindings: { '5000/tcp': [{ HostPort: '' }] } } };

let container: Container;
/** Where its emulators listen, or listened. */
let urls: string[];

beforeEach(() => {
  container = new Container('zemu', spec);
  urls = [];
  container.attach().on('data', (bytes: Buffer) => {
    urls.push(...(`${bytes}`.match(/http:\S+/g) ?? []));
  });
});

afterEach(() => container.stop());

test('two that start a container at the same time start one emulator', async () => {
  await Promise.all([container.start(), container.start()]);
  await container.start();
  expect(urls).toHaveLength(1);
  await container.stop();
  await expect(fetch(urls[0]!)).rejects.toThrow('fetch failed');
});

test('one that is stopped while it starts does not go on', async () => {
  const started = container.start();
  await container.stop();
  await started;
  expect(container.running).toBe(false);
  await expect(fetch(urls[0]!)).rejects.toThrow('fetch failed');
});

test('one that could not start can be started again', async () => {
  const seed = { ...spec, Cmd: ['-s "hex:00"'] };
  const faulty = new Container('faulty', seed);
  await expect(faulty.start()).rejects.toThrow('128 hexadecimal digits');
  expect(faulty.running).toBe(false);
  seed.Cmd = [];
  await faulty.start();
  expect(faulty.running).toBe(true);
  await faulty.stop();
});
