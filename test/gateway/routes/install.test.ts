import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { quoteForShell, writeInstallScript } from '#gateway/routes/install.js';
import { GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { publishing } from '../../../testkit/gateway/published.js';
import { type Answer, json } from '../../../testkit/gateway/recording-node.js';
import { TestDirectory } from './test-directory.js';

const TOOLS = ['tr', 'sed', 'uname', 'mktemp', 'mkdir', 'mv', 'cp', 'rm', 'chmod', 'cat', 'tar', 'gzip'];

let directory: TestDirectory;
let fixture: GatewayFixture | undefined;

beforeEach(() => {
  directory = new TestDirectory();
});

afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
  directory.remove();
});

const machine = execFileSync('uname', ['-m']).toString().trim();
const system = execFileSync('uname', ['-s']).toString().trim().toLowerCase();
const bundle = () => join(directory.path, 'releases/1.2.0', machine, bundleName);
let bundleName: string;

interface Bundle {
  name: string;
  arch: string;
  answer: Answer;
  publicUrl: string;
}

/**
 * Opens a gateway with one bundle for this machine, in front of a node that gives this answer. By default,
 * the node publishes the hash of the bundle.
 */
async function open(
  content: Buffer | string,
  { name = 'zbc-node', arch = machine, answer, publicUrl }: Partial<Bundle> = {},
): Promise<void> {
  bundleName = name;
  directory.write(`releases/1.2.0/${arch}/${name}`, content);
  directory.write('releases/1.2.0/other/zbc-node', 'for another machine');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const published = publishing([{ arch, name, size: content.length, sha256 }]);
  const nodes = await startNodes({ archival: [answer ?? published] });
  fixture = await GatewayFixture.open(nodes, {
    gatewayHost: 'localhost',
    listenHost: 'localhost',
    releasesDir: join(directory.path, 'releases'),
    // curl waits for as long as Retry-After says.
    healthIntervalMs: 1000,
    ...(publicUrl !== undefined && { publicUrl }),
  });
}

interface Run {
  code: number;
  output: string;
}

/** Runs `curl … | sh` in an environment that has only these programs. */
async function install(programs: string[] = ['curl', 'sha256sum'], shell = 'dash'): Promise<Run> {
  const script = (await fixture!.get('/install')).body.toString();
  const bin = join(directory.path, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const program of [...TOOLS, ...programs]) {
    if (!existsSync(join(bin, program))) symlinkSync(`/usr/bin/${program}`, join(bin, program));
  }
  return new Promise(resolve => {
    const env = { PATH: bin, HOME: join(directory.path, 'home of a user') };
    const child = execFile(`/usr/bin/${shell}`, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
    child.stdin!.end(script);
  });
}

const target = () => join(directory.path, 'home of a user/zbc-node');
/** Returns everything under the directory of installations, including temporary files. */
const installed = () => (existsSync(target()) ? readdirSync(target(), { recursive: true }).sort() : []);

describe('GET /install', () => {
  test('is a shell script that browsers do not render', async () => {
    await open('bundle');
    const { status, headers, body } = await fixture!.get('/install');
    expect([status, headers['content-type']]).toEqual([200, 'text/x-shellscript; charset=utf-8']);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.toString()).toMatch(/^#!\/bin\/sh\n/);
  });

  test("uses the configured host, never the request's", async () => {
    await open('bundle');
    const { port } = new URL(fixture!.gateway.url);
    const { body } = await fixture!.get('/install', {
      host: `127.0.0.1:${port}`,
      'x-forwarded-host': 'evil.test',
    });
    expect(body.toString()).toContain(`this_gateway='http://localhost:${port}'\n`);
    expect(body.toString()).not.toMatch(/evil|127\.0\.0\.1/);
  });

  test('uses the public URL of a gateway behind a proxy', async () => {
    await open('bundle', { publicUrl: 'https://gateway.example' });
    const { body } = await fixture!.get('/install');
    expect(body.toString()).toContain("this_gateway='https://gateway.example'\n");
  });
});

describe('the installer', () => {
  test.each([
    [['curl', 'sha256sum'], 'dash'],
    [['wget', 'sha256sum'], 'dash'],
    [['curl', 'openssl'], 'dash'],
    [['curl', 'shasum', 'perl'], 'dash'],
    [['curl', 'sha256sum'], 'bash'],
  ])('installs the bundle that the chain publishes, with %j in %s', async (programs, shell) => {
    await open('#!/bin/sh\necho started\n');
    const { code, output } = await install(programs, shell);
    expect(output).toContain('as published by the chain');
    expect(code).toBe(0);
    expect(installed()).toEqual(['1.2.0', '1.2.0/zbc-node']);
    expect(execFileSync(join(target(), '1.2.0/zbc-node')).toString()).toBe('started\n');
  });

  test('finds a bundle whose name also contains the system, as in the development network', async () => {
    await open('bundle', { arch: `${system}-${machine === 'x86_64' ? 'amd64' : 'arm64'}` });
    expect((await install()).code).toBe(0);
    expect(installed()).toEqual(['1.2.0', '1.2.0/zbc-node']);
  });

  test('unpacks an archive', async () => {
    directory.write('tree/node/run', 'content');
    const archive = execFileSync('tar', ['-czf', '-', '-C', join(directory.path, 'tree'), 'node']);
    await open(archive, { name: 'zbc-node.tar.gz' });
    expect((await install()).code).toBe(0);
    expect(readFileSync(join(target(), '1.2.0/node/run'), 'utf8')).toBe('content');
  });

  test('rejects an unpublished bundle and installs nothing', async () => {
    await open('genuine');
    writeFileSync(bundle(), 'altered');
    const { code, output } = await install();
    expect(code).toBe(1);
    expect(output).toContain('THE CHAIN DOES NOT PUBLISH THIS BUNDLE');
    expect(output).toContain(createHash('sha256').update('altered').digest('hex'));
    expect(output).toContain('nothing was installed');
    expect(installed()).toEqual([]);
  });

  test('installs nothing if the chain is unavailable', async () => {
    await open('bundle', { answer: json(503, {}) });
    const { code, output } = await install();
    expect([code, installed()]).toEqual([1, []]);
    expect(output).toContain('could not verify the bundle');
  });

  test('installs nothing if the archive is broken', async () => {
    await open('not an archive', { name: 'zbc-node.tar.gz' });
    const { code, output } = await install();
    expect([code, installed()]).toEqual([1, []]);
    expect(output).toContain('cannot be unpacked');
  });

  test.each([
    [['curl'], 'sha256sum, shasum or openssl is required'],
    [['sha256sum'], 'curl or wget is required'],
  ])('reports which program is missing if there is only %j', async (programs, words) => {
    await open('bundle');
    const { code, output } = await install(programs);
    expect([code, installed()]).toEqual([1, []]);
    expect(output).toContain(words);
  });

  test('fails when there is no bundle for the machine', async () => {
    await open('bundle');
    directory.write('bin/uname', '#!/bin/sh\necho sparc64\n');
    chmodSync(join(directory.path, 'bin/uname'), 0o755);
    const { code, output } = await install();
    expect([code, installed()]).toEqual([1, []]);
    expect(output).toContain('no bundle for sparc64');
  });

  test('does not touch an existing version', async () => {
    await open('bundle');
    await install();
    writeFileSync(join(target(), '1.2.0/zbc-node'), 'changed by its user');
    const { code, output } = await install();
    expect(code).toBe(1);
    expect(output).toContain('already exists');
    expect(readFileSync(join(target(), '1.2.0/zbc-node'), 'utf8')).toBe('changed by its user');
    expect(installed()).toEqual(['1.2.0', '1.2.0/zbc-node']);
  });

  test('does nothing if it arrives incomplete', async () => {
    const script = await writeInstallScript('http://localhost:1');
    const lines = script.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('main');
    const part = lines.slice(0, -1).join('\n');
    expect(execFileSync('dash', { input: part, env: { HOME: directory.path } }).toString()).toBe('');
  });
});

test.each(["it's", '$(touch x)', '`id`', 'a b', '"', "'; rm -rf /; '", '\\'])(
  'quotes %j for a shell',
  text => {
    expect(execFileSync('dash', ['-c', `printf %s ${quoteForShell(text)}`]).toString()).toBe(text);
  },
);
