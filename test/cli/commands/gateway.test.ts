import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { generate } from 'selfsigned';
import { GENESIS, RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { freePort } from '../../../testkit/network/free-port.js';
import { httpRequest } from '../../../testkit/network/http.js';
import {
  type CliOptions,
  type CliProcess,
  runCommand,
  startCli,
  untilSaid,
} from '../../../testkit/process/cli.js';
import { PROGRAM } from '../../../testkit/process/program.js';
import { until } from '../../../testkit/time/until.js';

/** A named pipe that is full and that nobody reads. */
class FullPipe {
  readonly #reader: number;

  constructor(private readonly path: string) {
    execFileSync('mkfifo', [path]);
    this.#reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      for (;;) writeSync(this.#reader, 'x'.repeat(4096));
    } catch (error) {
      if (Object(error).code !== 'EAGAIN') throw error;
    }
  }

  /** Returns options that start a command with the pipe as its stdout or stderr. */
  inPlaceOf(name: 'stdout' | 'stderr'): CliOptions {
    return { before: ['sh', '-c', `exec "$@" ${name === 'stdout' ? 1 : 2}> "$0"`, this.path] };
  }

  close(): void {
    closeSync(this.#reader);
  }
}

/**
 * Holds a listening socket, as systemd does, and prints its port. Starts the command with it, and again after each
 * line of the input.
 */
const SOCKET_HOLDER = `
import os, socket, subprocess, sys
listener = socket.create_server(('127.0.0.1', 0), backlog=511)
os.dup2(listener.fileno(), 3)
print(listener.getsockname()[1], flush=True)
while True:
    command = ['sh', '-c', 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', 'sh', *sys.argv[1:]]
    process = subprocess.Popen(command, pass_fds=[3], stdout=subprocess.DEVNULL)
    line = sys.stdin.readline()
    process.terminate()
    if process.wait() != 0 or not line: sys.exit(process.returncode)
`;

const KEY = 'the-key-of-this-test-0123456789-abcdef';
let directory: string;
let file: string;
const running: CliProcess[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-test.'));
  file = join(directory, 'gateway.json');
});
/** Ends what a test started, even if the test ran out of time. */
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ done }) => done));
  rmSync(directory, { recursive: true });
});

function write(fields: Record<string, unknown>): void {
  const json = { gateway_host: 'localhost', admin_api_key: KEY, listen: '127.0.0.1:0', ...fields };
  writeFileSync(file, JSON.stringify(json), { mode: 0o600 });
}

/** Starts a gateway. Returns its process and its ready line. */
async function start(...words: string[]) {
  const cli = startCli(['gateway', '--config', file, '--json', ...words]);
  running.push(cli);
  await untilSaid(cli, 'stdout', '\n');
  return {
    cli,
    ready: JSON.parse(cli.output.stdout) as { ready: boolean; url: string; metrics_url?: string },
  };
}

const logLines = (stderr: string): Record<string, unknown>[] =>
  stderr
    .trim()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));

test('gateway check tells whether the file is valid, and whether the gateway of the file answers', async () => {
  const check = (...words: string[]) =>
    runCommand(['gateway', 'check', '--config', file, '--json', ...words]);
  const listenPort = await freePort();
  write({ listen: `0.0.0.0:${listenPort}` });
  expect((await check('--config-only')).code).toBe(0);
  const silent = await check();
  expect(silent.code).not.toBe(0);
  expect(JSON.parse(silent.stdout).error.message).toContain(`127.0.0.1:${listenPort}`);
  await start();
  const { code, stdout } = await check();
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { valid: true, url: expect.stringContaining('/live') },
  ]);
  write({ tls: { cert_file: 'none.pem', key_file: 'none.pem' } });
  expect((await check('--config-only')).stdout).toContain('tls.cert_file: cannot read');
  write({ listen: 'x' });
  expect((await check('--config-only')).stdout).toContain('listen must be HOST:PORT');
  expect((await check('--config-only')).stdout).not.toContain(KEY);
});

describe('gateway init', () => {
  test('writes a valid configuration, and prints its path but not the key', async () => {
    const nodes = [
      '--full-node',
      'node1.internal:1',
      '--full-node',
      '[2001:db8::2]:2',
      '--archival-node',
      '192.0.2.3:3',
    ];
    const { code, stdout, stderr } = await runCommand([
      'gateway',
      'init',
      file,
      '--host',
      'gw.example',
      ...nodes,
    ]);
    expect(code).toBe(0);
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(written).toMatchObject({
      gateway_host: 'gw.example',
      static_nodes: [
        { url: 'http://node1.internal:1', role: 'full' },
        { url: 'http://[2001:db8::2]:2', role: 'full' },
        { url: 'http://192.0.2.3:3', role: 'archival' },
      ],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(stdout).toContain(`zbc-signer gateway --config ${file}`);
    expect(written.admin_api_key).toMatch(/^[\w-]{43}$/);
    expect(stdout + stderr).not.toContain(written.admin_api_key);
  });

  test('writes the genesis hash that its nodes report, or says that it is missing', async () => {
    const node = await RecordingNode.start('full');
    const init = (...words: string[]) =>
      runCommand([
        'gateway',
        'init',
        file,
        '--full-node',
        `127.0.0.1:${node.port}`,
        '--full-node',
        '127.0.0.1:9',
        ...words,
      ]);
    try {
      const { stdout } = await init();
      expect(JSON.parse(readFileSync(file, 'utf8')).genesis_hash).toBe(GENESIS);
      expect(stdout).toContain(GENESIS);
    } finally {
      await node.stop();
    }
    rmSync(file);
    for (const words of [[], ['--json']]) {
      const { stdout } = await init(...words);
      expect(JSON.parse(readFileSync(file, 'utf8'))).not.toHaveProperty('genesis_hash');
      expect(stdout).toContain('add the genesis_hash of your chain');
      rmSync(file);
    }
  });

  test('does not replace a file', async () => {
    write({});
    const before = readFileSync(file, 'utf8');
    const { code, stdout } = await runCommand(['gateway', 'init', file, '--json']);
    expect({ code, error: JSON.parse(stdout).error.code }).toEqual({ code: 2, error: 'CONFIG_EXISTS' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test.each([
    [['--host', '192.0.2.1'], '--host must be a domain name'],
    [['--host', 'https://gateway.example:8883'], '--host must be a domain name'],
    [['--full-node', 'evil..example:1'], '--full-node must be HOST:PORT'],
    [['--archival-node', '192.0.2.1'], '--archival-node must be HOST:PORT'],
    [['--full-node', '192.0.2.1:65536'], '--full-node must be HOST:PORT'],
    [['--full-node', '192.0.2.1:0'], '--full-node must be HOST:PORT'],
  ])('rejects %j', async (words, error) => {
    const { code, stderr } = await runCommand(['gateway', 'init', file, ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(error);
  });
});

describe('gateway', () => {
  test('answers when ready, logs requests as JSON without secrets, and stops at Ctrl-C', async () => {
    write({ metrics_listen: '127.0.0.1:0' });
    const { cli, ready } = await start();
    expect(ready).toMatchObject({ ready: true, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    const headers = { authorization: `Bearer ${KEY}`, 'x-api-key': KEY };
    const answer = await fetch(`${ready.url}/api/v1/node/info?secret=hunter2`, { headers });
    expect({ status: answer.status, limit: answer.headers.get('ratelimit-limit') }).toEqual({
      status: 503,
      limit: '600',
    });
    expect(await answer.json()).toMatchObject({ success: false, code: 503 });
    const metrics = await (await fetch(ready.metrics_url!)).text();
    expect(metrics).toContain('zbc_gateway_requests_total{method="GET",route="/api/v1/*",status="503"} 1');
    cli.child.kill('SIGINT');
    const { code, stderr } = await cli.done;
    expect(code).toBe(0);
    const lines = logLines(stderr);
    expect(lines[0]).toMatchObject({ msg: expect.stringContaining('static_nodes is empty') });
    expect(lines).toContainEqual(expect.objectContaining({ path: '/api/v1/node/info', status: 503 }));
    expect(stderr).not.toMatch(new RegExp(`${KEY}|hunter2`));
  });

  test.each(['stdout', 'stderr'] as const)('ends at SIGTERM even if nobody reads its %s', async name => {
    const pipe = new FullPipe(join(directory, 'pipe'));
    const port = await freePort();
    write({ listen: `127.0.0.1:${port}` });
    const cli = startCli(['gateway', '--config', file], pipe.inPlaceOf(name));
    running.push(cli);
    const isLive = () => fetch(`http://127.0.0.1:${port}/gateway/health/live`).then(({ ok }) => ok);
    await until(() => isLive().catch(() => false));
    cli.child.kill('SIGTERM');
    expect((await cli.done).code).toBe(0);
    pipe.close();
  });

  test('loses no request while it is restarted three times on a socket that systemd holds', async () => {
    write({});
    const words = [process.execPath, PROGRAM, 'gateway', '--config', file, '--log-level', 'error'];
    const holder = spawn('python3', ['-c', SOCKET_HOLDER, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
    const exited = once(holder, 'exit');
    ends.push(() => {
      holder.stdin.end();
      return exited;
    });
    const [line] = (await once(createInterface(holder.stdout), 'line')) as [string];
    const url = `http://127.0.0.1:${line}/gateway/status`;
    let [answers, isDone] = [0, false];
    const ask = async () => {
      while (!isDone) {
        const { status } = await httpRequest('GET', url, { headers: { host: 'localhost' } });
        expect(status).toBe(200);
        answers += 1;
      }
    };
    const asking = Promise.all([ask(), ask(), ask(), ask()]);
    const untilAnswered = async (count: number) => {
      const before = answers;
      await Promise.race([until(() => answers > before + count), asking]);
    };
    await untilAnswered(20);
    for (let restart = 0; restart < 3; restart++) {
      // Of the answers after the restart, at most four are of the earlier process.
      holder.stdin.write('\n');
      await untilAnswered(100);
    }
    isDone = true;
    await asking;
    holder.stdin.end();
    expect(await exited).toEqual([0, null]);
  }, 60_000);

  test('reads its certificate again at SIGHUP, and keeps the old one if that fails', async () => {
    const pair = await generate([{ name: 'commonName', value: 'localhost' }]);
    writeFileSync(join(directory, 'cert.pem'), pair.cert);
    writeFileSync(join(directory, 'key.pem'), pair.private);
    write({ tls: { cert_file: 'cert.pem', key_file: 'key.pem' } });
    const { cli, ready } = await start();
    expect(ready.url).toMatch(/^https:/);
    cli.child.kill('SIGHUP');
    await untilSaid(cli, 'stderr', 'certificate read again');
    writeFileSync(join(directory, 'cert.pem'), 'invalid');
    cli.child.kill('SIGHUP');
    await untilSaid(cli, 'stderr', 'tls.cert_file: the certificate is unusable');
    cli.child.kill('SIGINT');
    expect((await cli.done).code).toBe(0);
  });

  test('reports every invalid field of its configuration, one per line', async () => {
    write({ listen_prot: 1, faucet: 0, admin_api_key: 'hunter2' });
    const [text, json] = await Promise.all([
      runCommand(['gateway', '--config', file]),
      runCommand(['gateway', '--config', file, '--json']),
    ]);
    expect(text.code).toBe(2);
    expect(text.stderr.trim().split('\n').slice(1)).toEqual([
      'listen_prot is not a known field',
      'admin_api_key must be 32 to 256 printable ASCII characters without spaces',
      'faucet must be of type boolean',
    ]);
    expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'CONFIG_INVALID', exit_code: 2 });
    expect(JSON.parse(json.stdout).error.faults).toHaveLength(3);
    expect(text.stderr + json.stdout).not.toContain('hunter2');
  });

  test('does not start on a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    for (const [field, values] of [
      ['listen', { listen: `127.0.0.1:${port}` }],
      ['metrics_listen', { metrics_listen: `127.0.0.1:${port}` }],
    ] as const) {
      write(values);
      const { code, stderr } = await runCommand(['gateway', '--config', file, '--log-level', 'silent']);
      expect(code).toBe(2);
      expect(stderr).toContain(
        `cannot listen on 127.0.0.1 port ${port}: address already in use (EADDRINUSE)`,
      );
      expect(stderr).toContain(`Change ${field} in ${file}.`);
    }
    other.close();
  });
});
