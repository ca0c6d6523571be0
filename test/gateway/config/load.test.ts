import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initGatewayConfig } from '#gateway/config/init.js';
import { loadGatewayConfig } from '#gateway/config/load.js';

const KEY = 'k3y-'.repeat(8);
let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  file = join(directory, 'gateway.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(fields: Record<string, unknown>, mode = 0o600): void {
  const nodes = [{ url: 'http://127.0.0.1:8884' }];
  const json = { gateway_host: 'localhost', admin_api_key: KEY, static_nodes: nodes, ...fields };
  writeFileSync(file, JSON.stringify(json), { mode });
  chmodSync(file, mode);
}

describe('a configuration file', () => {
  test('is read without a warning if only its owner can read it', async () => {
    write({});
    expect((await loadGatewayConfig(file)).warnings).toEqual([]);
  });

  test('is read without a warning if only a group of this process can also read it', async () => {
    write({}, 0o640);
    chownSync(file, process.getuid!(), process.getgid!());
    expect((await loadGatewayConfig(file)).warnings).toEqual([]);
  });

  test.each([0o644, 0o604])(
    'is read with a warning if all users can read it (mode %p in decimal)',
    async mode => {
      write({}, mode);
      const { warnings } = await loadGatewayConfig(file);
      expect(warnings).toEqual([expect.stringContaining('run chmod 600')]);
    },
  );

  test('is read with a warning if a group that this process is not in can read it', async () => {
    write({}, 0o640);
    const { getgroups } = process;
    const getegid = process.getegid;
    const others = statSync(file).gid + 1;
    Object.assign(process, { getgroups: () => [others], getegid: () => others });
    const { warnings } = await loadGatewayConfig(file).finally(() =>
      Object.assign(process, { getgroups, getegid }),
    );
    expect(warnings).toEqual([expect.stringContaining('run chmod 600')]);
  });

  test('causes a warning if the key is sent without TLS, and if the node list is empty', async () => {
    write({ listen: '0.0.0.0:8883', static_nodes: [] });
    const { warnings } = await loadGatewayConfig(file);
    expect(warnings).toEqual([
      expect.stringContaining('without tls'),
      expect.stringContaining('static_nodes is empty'),
    ]);
  });

  test('is rejected if it does not exist', async () => {
    await expect(loadGatewayConfig(file)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `cannot read the configuration ${file} (ENOENT)`,
      hint: '`zbc-signer gateway init` writes a configuration.',
    });
  });

  test('is rejected if it is too large', async () => {
    writeFileSync(file, ' '.repeat(1_048_577));
    await expect(loadGatewayConfig(file)).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' });
  });

  test.each([
    [
      'is not valid JSON at line 2, column 28',
      '{"gateway_host": "localhost",\n "admin_api_key": "secret" "x"}',
    ],
    [
      'has a name twice in an object at line 3, column 1',
      '{\n"admin_api_key": "secret",\n"admin_api_key": "secret2"}',
    ],
    ['begins with a byte order mark: save it as UTF-8 without one', '\uFEFF{"admin_api_key": "secret"}'],
    ['is not valid JSON', '{\n"admin_api_key":\n'],
    ['is not valid JSON at line 1, column 26', '{"admin_api_key": "secret'],
    [
      'is not valid JSON at line 3, column 3',
      '{"admin_api_key": "secret",\n"public_url": "https://secret",\n  // why\n"faucet": true}',
    ],
    ['is not valid JSON', '# secret\n{"faucet": true}'],
    ['is not valid JSON', '{"admin_api_key": "secret", "faucet": tru, "wallet": true}'],
    ['is not valid JSON', '{"admin_api_key": secret}'],
  ])('is rejected, without quoting its text, with the message that it %s', async (fault, text) => {
    writeFileSync(file, text);
    const failure = await loadGatewayConfig(file).catch(error => error);
    expect(failure).toMatchObject({
      code: 'CONFIG_INVALID',
      message: `the configuration ${file} ${fault}`,
    });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  test.each([
    ['downloads_dir', 'downloadsDir'],
    ['releases_dir', 'releasesDir'],
  ] as const)('is rejected if its %s does not exist', async (name, property) => {
    write({ [name]: 'files' });
    await expect(loadGatewayConfig(file)).rejects.toThrow(`${name}: there is no directory ${directory}`);
    mkdirSync(join(directory, 'files'));
    expect((await loadGatewayConfig(file)).config[property]).toBe(join(directory, 'files'));
  });

  test('names the CA file of a node relative to its own directory', async () => {
    write({ static_nodes: [{ url: 'https://127.0.0.1:8884', ca_file: 'ca.pem' }] });
    expect((await loadGatewayConfig(file)).config.staticNodes).toEqual([
      {
        ip: '127.0.0.1',
        port: 8884,
        role: 'full',
        tls: { caFile: join(directory, 'ca.pem') },
      },
    ]);
  });

  test('is rejected if the directory of its state_file does not exist', async () => {
    write({ state_file: 'state/allowlist.json' });
    await expect(loadGatewayConfig(file)).rejects.toThrow(
      `state_file: there is no directory ${join(directory, 'state')}`,
    );
  });
});

describe('a new configuration', () => {
  test('is readable only by its owner and has a new key', async () => {
    await initGatewayConfig(file, { gateway_host: 'localhost' });
    await initGatewayConfig(join(directory, 'other.json'), { gateway_host: 'localhost' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const keys = readdirSync(directory)
      .sort()
      .map(name => JSON.parse(readFileSync(join(directory, name), 'utf8')).admin_api_key);
    expect(Buffer.from(keys[0], 'base64url')).toHaveLength(32);
    expect(keys[0]).not.toBe(keys[1]);
    expect((await loadGatewayConfig(file)).config.adminApiKey).toBe(keys[0]);
  });

  test('is not written if it is invalid', async () => {
    await expect(initGatewayConfig(file, { gateway_host: 'a b' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    expect(readdirSync(directory)).toEqual([]);
  });
});
