import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { type DockerStandIn, startDockerStandIn } from '#emulator/docker/stand-in.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { readBody } from '../../../testkit/network/http.js';
import { runCli, startCli, untilSaid } from '../../../testkit/process/cli.js';
import { root } from '../../../testkit/repository/repository.js';

const JEST = join(root, 'node_modules/jest/bin/jest.js');
const node = (...words: string[]) => ['emulator', 'docker', '--', process.execPath, ...words];

describe('zbc-signer emulator docker', () => {
  it('runs an unchanged Zemu suite, six tests at once', async () => {
    const suite = [
      '--config',
      join(root, 'test/qa/jest.json'),
      '--testMatch',
      '**/stock-zemu.suite.js',
      '--maxConcurrency',
      '6',
    ];
    const words = node('--experimental-vm-modules', '--no-warnings', JEST, ...suite);
    const { code, stdout, stderr } = await runCli(words);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Tests: +8 passed, 8 total/)]);
    expect(stdout).toContain('ZBC Signer emulator: http://127.0.0.1:');
  });

  it('ends with the exit code of the program, and hands its arguments on untouched', async () => {
    const script = 'console.log(JSON.stringify(process.argv.slice(1))); process.exit(7)';
    const { code, stdout } = await runCli(node('-e', script, '--', '--json', '-t', 'a b', '--help'));
    expect([code, JSON.parse(stdout)]).toEqual([7, ['--json', '-t', 'a b', '--help']]);
  });

  it('removes its socket, also when it is interrupted', async () => {
    const script = 'console.log(process.env.DOCKER_HOST); setInterval(() => {}, 1000)';
    const cli = startCli(node('-e', script));
    await untilSaid(cli, 'stdout', '\n');
    const socket = cli.output.stdout.trim().replace('unix://', '');
    expect(existsSync(socket)).toBe(true);
    cli.child.kill('SIGINT');
    expect((await cli.done).code).toBe(143);
    expect(existsSync(socket)).toBe(false);
  });

  it.each([
    [['emulator', 'docker'], 'missing program'],
    [['emulator', 'docker', '--', 'no-such-program'], 'cannot run no-such-program'],
    [['emulator', 'docker', '--api-port', '1', '--', 'true'], 'Unknown arguments: api-port, '],
  ])('says what is wrong with %j', async (words, message) => {
    const { code, stderr } = await runCli(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('the Docker stand-in', () => {
  let standIn: DockerStandIn;
  beforeAll(async () => {
    standIn = await startDockerStandIn();
  });
  afterAll(() => standIn.close());

  async function call(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: string }> {
    const socketPath = standIn.dockerHost.replace('unix://', '');
    const headers = body ? { 'content-type': 'application/json' } : {};
    const sent = request({ socketPath, method, path, headers, agent: false });
    const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      sent
        .on('response', resolve)
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
    return { status: response.statusCode!, body: (await readBody(response)).toString() };
  }

  async function create(name: string, portBindings: object = {}, command = ''): Promise<string> {
    const spec = { Image: 'zemu', Cmd: [command], HostConfig: { PortBindings: portBindings } };
    const { status, body } = await call('POST', `/containers/create?name=${name}`, spec);
    expect(status).toBe(201);
    return JSON.parse(body).Id;
  }

  it('creates, lists by name, starts, stops and removes containers', async () => {
    const id = await create('zemu-one');
    const other = await create('other');
    const filters = encodeURIComponent('{"name":["zemu-"]}');
    const listed = await call('GET', `/v1.43/containers/json?all=true&filters=${filters}`);
    expect(JSON.parse(listed.body)).toMatchObject([{ Id: id, Names: ['/zemu-one'], State: 'created' }]);
    for (const [method, path, status] of [
      ['POST', `/containers/${id}/start`, 204],
      ['POST', `/containers/${id}/start`, 304],
      ['POST', `/containers/${id}/stop?t=0`, 204],
      ['POST', `/containers/${id}/stop`, 304],
      ['DELETE', `/containers/${id}?force=true`, 204],
      ['DELETE', `/containers/${id}`, 404],
      ['DELETE', `/containers/${other}`, 204],
    ] as const) {
      expect([path, (await call(method, path)).status]).toEqual([path, status]);
    }
    expect((await call('GET', '/containers/json')).body).toBe('[]');
  });

  it('says "port is already allocated", which Zemu looks for', async () => {
    const server = await startServer();
    const HostPort = new URL(server.api).port;
    const id = await create('clash', { '5000/tcp': [{ HostPort }] });
    const { status, body } = await call('POST', `/containers/${id}/start`);
    expect([status, JSON.parse(body).message]).toEqual([
      500,
      expect.stringContaining('port is already allocated'),
    ]);
    await call('DELETE', `/containers/${id}`);
    await server.close();
  });

  it('says at once that there is no model with a touch screen', async () => {
    const id = await create('touch', {}, 'speculos.py -m stax app.elf');
    const { status, body } = await call('POST', `/containers/${id}/start`);
    expect([status, body]).toEqual([400, expect.stringContaining('no touch screen')]);
    await call('DELETE', `/containers/${id}`);
  });

  it('says that a seed is wrong, and does not repeat it', async () => {
    const id = await create('seed', {}, 'speculos.py -s "hex:5ec2e7" -m nanosp app.elf');
    const { status, body } = await call('POST', `/containers/${id}/start`);
    expect([status, body]).toEqual([400, expect.stringContaining('128 hexadecimal digits')]);
    expect(body).not.toContain('5ec2e7');
    await call('DELETE', `/containers/${id}`);
  });

  it.each([
    ['POST', '/containers/create', { Cmd: 'app' }, 400],
    ['POST', '/containers/create?name=a%20b', {}, 400],
    [
      'POST',
      '/containers/create',
      { HostConfig: { PortBindings: { '5000/tcp': [{ HostPort: 'x' }] } } },
      400,
    ],
    ['GET', '/containers/json?filters={', undefined, 400],
    ['POST', '/containers/none/start', undefined, 404],
    ['POST', '/build', undefined, 404],
  ] as const)('answers %s %s %j with %i', async (method, path, body, status) => {
    expect((await call(method, path, body)).status).toBe(status);
  });

  it('has one container a name', async () => {
    const id = await create('twice');
    expect((await call('POST', '/containers/create?name=twice', {})).status).toBe(409);
    await call('DELETE', `/containers/${id}`);
  });
});
