import {
  chmodSync,
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
import { initGatewayConfig } from '../../../gateway/src/config/init.js';
import { loadGatewayConfig } from '../../../gateway/src/config/load.js';

const KEY = 'k3y-'.repeat(8);
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  file = join(folder, 'gateway.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(fields: Record<string, unknown>, mode = 0o600): void {
  const nodes = [{ ip: '127.0.0.1', port: 8884 }];
  const json = { gateway_host: 'localhost', admin_api_key: KEY, static_nodes: nodes, ...fields };
  writeFileSync(file, JSON.stringify(json), { mode });
  chmodSync(file, mode);
}

describe('a configuration file', () => {
  it('is read without a warning when nobody else can read it', async () => {
    write({});
    expect((await loadGatewayConfig(file)).warnings).toEqual([]);
  });

  it.each([0o640, 0o604])('is read with a warning at mode %p', async mode => {
    write({}, mode);
    const { warnings } = await loadGatewayConfig(file);
    expect(warnings).toEqual([expect.stringContaining('admin_api_key: chmod 600')]);
  });

  it('warns about a key in the clear and about nobody to ask', async () => {
    write({ listen_host: '0.0.0.0', static_nodes: [] });
    const { warnings } = await loadGatewayConfig(file);
    expect(warnings).toEqual([
      expect.stringContaining('without tls'),
      expect.stringContaining('static_nodes is empty'),
    ]);
  });

  it('is refused when it is not there', async () => {
    await expect(loadGatewayConfig(file)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `cannot read the configuration ${file} (ENOENT)`,
    });
  });

  it('is refused when it is too large', async () => {
    writeFileSync(file, ' '.repeat(1_048_577));
    await expect(loadGatewayConfig(file)).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' });
  });

  it.each([
    ['line 2', '{"gateway_host": "localhost",\n "admin_api_key": "secret" "x"}'],
    ['line 3', '{\n"admin_api_key": "secret",\n"admin_api_key": "secret2"}'],
  ])('is refused at %s without a word of what stands there', async (place, text) => {
    writeFileSync(file, text);
    const failure = await loadGatewayConfig(file).catch(error => error);
    expect(failure).toMatchObject({
      code: 'CONFIG_INVALID',
      message: `the configuration is not JSON at ${place}`,
    });
    expect(JSON.stringify(failure)).not.toContain('secret');
  });

  it('names a folder that is not there', async () => {
    write({ downloads_dir: 'files' });
    await expect(loadGatewayConfig(file)).rejects.toThrow('downloads_dir must be a folder that exists');
    mkdirSync(join(folder, 'files'));
    expect((await loadGatewayConfig(file)).config.downloadsDir).toBe(join(folder, 'files'));
  });
});

describe('a new configuration', () => {
  it('is for its owner only and has a key of its own', async () => {
    await initGatewayConfig(file, { gateway_host: 'localhost' });
    await initGatewayConfig(join(folder, 'other.json'), { gateway_host: 'localhost' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const keys = readdirSync(folder)
      .sort()
      .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')).admin_api_key);
    expect(Buffer.from(keys[0], 'base64url')).toHaveLength(32);
    expect(keys[0]).not.toBe(keys[1]);
    expect((await loadGatewayConfig(file)).config.adminApiKey).toBe(keys[0]);
  });

  it('never replaces a file', async () => {
    write({});
    const before = readFileSync(file, 'utf8');
    await expect(initGatewayConfig(file, { gateway_host: 'localhost' })).rejects.toMatchObject({
      code: 'CONFIG_EXISTS',
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('is not written when it would be refused', async () => {
    await expect(initGatewayConfig(file, { gateway_host: 'a b' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
