import { join } from 'node:path';
import { Emulator, record } from '@zbc-signer/emulator';
import { renderTest } from '@zbc-signer/emulator/trace';
import { CONFIRM_ADDRESS } from '../../testkit/device/confirmed-account.js';
import { Project } from '../../testkit/packages/project.js';
import { samplesOf } from '../../testkit/packages/samples.js';
import { root } from '../../testkit/repository/repository.js';

/**
 * For each runner: the source of its functions, the end of a test in the suite with its emulator, and its
 * command.
 */
const RUNNERS: Record<string, { file: string; head: string; words: string[] }> = {
  jest: {
    file: 'left.test.js',
    head: '',
    words: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--transform={}', 'left.test.js'],
  },
  vitest: {
    file: 'left.test.js',
    head: "import { afterEach, beforeEach, test } from 'vitest';",
    words: ['node_modules/vitest/vitest.mjs', 'run', '--no-color', 'left.test.js'],
  },
  mocha: {
    file: 'left.mocha.js',
    head: "import { afterEach, beforeEach, it as test } from 'mocha';",
    words: ['node_modules/mocha/bin/mocha.js', '--no-color', 'left.mocha.js'],
  },
  'node:test': {
    file: 'left.node.js',
    head: "import { afterEach, beforeEach, test } from 'node:test';",
    words: ['--test', '--test-reporter=spec', 'left.node.js'],
  },
};

const AFTER = {
  mocha: 'afterEach(async function () { await emulator.stop().catch(error => this.test.error(error)); });',
  others: 'afterEach(() => emulator.stop());',
};

const AWAITED = `{
  const reply = signer.signMessage(0, text);
  await Promise.all([reply, emulator.approve()]);
}`;
const FORGOTTEN = '{ signer.signMessage(0, text); }';
const DEADLOCK = '{ await signer.getPublicKey(0, { confirm: true }); await emulator.approve(); }';

const POSITIONS = ['the first', 'the middle', 'the last'];

function suite(head: string, after: string, bodies: readonly string[]): string {
  return `${head}
import { Signer } from '@zbc-signer/host';
import { Emulator } from '@zbc-signer/emulator';
const text = new TextEncoder().encode('hello');
let emulator, signer;
beforeEach(async () => {
  emulator = await Emulator.start();
  signer = new Signer(emulator.transport());
});
${after}
${bodies.map((body, index) => `test('${POSITIONS[index]}', async () => ${body});`).join('\n')}
`;
}

let project: Project;

beforeAll(() => {
  project = new Project();
  // The test packages need a later Node than the one that may run this.
  project.install(['protocol', 'chain', 'host', 'emulator'], ['jest', 'mocha', 'vitest@3'], {
    strict: false,
  });
});
afterAll(() => project.remove());

/** A runner's output for three tests. */
function run(name: string, bodies: readonly string[], ...options: string[]): string {
  const { file, head, words } = RUNNERS[name]!;
  project.write(file, suite(head, name === 'mocha' ? AFTER.mocha : AFTER.others, bodies));
  const { status, stdout, stderr } = project.run(process.execPath, ...words, ...options);
  expect(status).not.toBe(0);
  return stdout + stderr;
}

const FAILED = /(?:●|FAIL|✖|\d\)) .*?(the first|the middle|the last)/g;
/** Names of the failed tests. */
const failedIn = (output: string) => [...new Set([...output.matchAll(FAILED)].map(([, name]) => name))];
/** Matches the number of passed tests in any runner's summary. */
const PASSED = /2 passed|[23] passing|pass 2/;

test('the sample of docs/TESTING.md runs in Vitest', () => {
  const [sample] = samplesOf('docs/TESTING.md').filter(({ source }) =>
    source.startsWith('// screens.test.ts'),
  );
  project.write('screens.test.ts', sample!.source);
  const words = ['node_modules/vitest/vitest.mjs', 'run', 'screens.test.ts'];
  const { status, stdout, stderr } = project.run(process.execPath, ...words);
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/1 passed/)]);
});

test('a recorded session becomes a strictly typed test for each runner, and runs in Vitest', async () => {
  const emulator = await Emulator.start();
  const recorder = record(emulator);
  const confirmed = emulator.exchange(CONFIRM_ADDRESS);
  await emulator.approve();
  await confirmed;
  await emulator.stop();
  const trace = recorder.stop();
  const files = (['jest', 'vitest', 'node'] as const).map(runner => {
    project.write(`recorded-${runner}.test.ts`, renderTest(trace, runner, 'shows an address'));
    return `recorded-${runner}.test.ts`;
  });
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node,jest'];
  expect(project.run(join(root, 'node_modules/.bin/tsc'), ...strict, ...types, ...files).stdout).toBe('');
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--no-color', 'recorded-vitest.test.ts'];
  const { status, stdout } = project.run(process.execPath, ...words);
  expect([status, stdout]).toEqual([0, expect.stringContaining('1 passed')]);
});

test('Jest runs tests with its defaults, in a project of CommonJS, and in jsdom as docs/TESTING.md describes', () => {
  const [environment, page] = samplesOf('docs/TESTING.md').filter(({ language }) => language === 'mjs');
  const plain = new Project();
  try {
    plain.write('package.json', '{"name":"project","private":true}');
    plain.install(['protocol', 'chain', 'host', 'emulator'], ['jest', 'jest-environment-jsdom'], {
      strict: false,
    });
    plain.write('browser-environment.mjs', environment!.source);
    plain.write('page.test.mjs', page!.source);
    const [docblock = ''] = /^.*\n/.exec(page!.source)!;
    const body = `{
      const { GatewayClient } = await import('@zbc-signer/host');
      const client = new GatewayClient('http://127.0.0.1:1');
      await expect(client.nodeInfo()).rejects.toMatchObject({ code: 'GATEWAY_UNREACHABLE' });
    }`;
    plain.write('node.test.js', `test('asks', async () => ${body});`);
    plain.write('jsdom.test.js', `${docblock}test('asks', async () => ${body});`);
    const words = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
    const { status, stderr } = plain.run(process.execPath, ...words);
    expect([status, stderr]).toEqual([0, expect.stringContaining('3 passed, 3 total')]);
  } finally {
    plain.remove();
  }
});

describe.each(Object.keys(RUNNERS))('%s', name => {
  test.each(POSITIONS)('fails only %s test if that test forgets an await, and names the command', which => {
    const output = run(
      name,
      POSITIONS.map(position => (position === which ? FORGOTTEN : AWAITED)),
    );
    expect(failedIn(output)).toEqual([which]);
    expect(output).toMatch(/signer\.signMessage\(…\) \(APDU e007/);
    expect(output).toMatch(/trace: \S+\.trace/);
    expect(output).toMatch(PASSED);
  });
});

// Node's runner is not listed: it ends a file in which only a promise is pending, before the time limit and
// without running hooks.
test.each(['jest', 'vitest', 'mocha'])(
  '%s shows the screen and the correct code for a test that awaits the reply before it decides',
  name => {
    const option = name === 'mocha' ? '--timeout=1000' : '--testTimeout=1000';
    const output = run(name, [DEADLOCK, AWAITED, AWAITED], option);
    expect(failedIn(output)).toEqual(['the first']);
    expect(output).toMatch(/it waited for the user:\s+Address\s+ZBC_/);
    expect(output).toContain('await Promise.all([reply, emulator.approve()]);');
  },
);
