import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBoard, writeImageFile } from '@zbc-signer/image';
import { parse } from 'yaml';
import { Project } from '../../testkit/packages/project.js';
import { type Sample, samplesOf, userDocuments } from '../../testkit/packages/samples.js';
import { PACKAGES, TARBALLS } from '../../testkit/packages/tarballs.js';
import { readText, root } from '../../testkit/repository/repository.js';

const samples = userDocuments().flatMap(samplesOf);
const inLanguage = (...languages: string[]) => samples.filter(({ language }) => languages.includes(language));

const COMMAND = /^(?:[A-Z_]+=\S+ )?(?:npx|npm|node|node_modules\/\S+|zbc-signer|make|curl|openssl|sh) /;
const commands = inLanguage('', 'sh').filter(({ source }) => COMMAND.test(source));
const installs = commands.filter(({ source }) => /^npm (?!pack )/.test(source));
/** Commands in sentences and tables. */
const installsInWords = userDocuments().flatMap(at =>
  [...readText(at).matchAll(/`(npm install [^`\n]*zbc-signer[^`\n]*)`/g)].map(([, source]) => ({
    at,
    source: source!,
  })),
);

/** Commands whose lines each run in another terminal and end with Ctrl-C. */
const IN_TERMINALS = ['zbc-signer node run', 'zbc-signer gateway init'];
/** Commands that run a program, by the extension in its name. */
const RUNNERS: Record<string, string[]> = {
  test: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
  node: ['--test'],
};
/** Samples that other tests run, each identified by its first words. */
const RUN_BY_ANOTHER_TEST: Record<string, string> = {
  'make demo': '.ci/run',
  'NODE_OPTIONS=--experimental-vm-modules npx jest': 'the programs below',
  'node --test': 'the programs below',
  'ZBC_SIGNER_DEVICE=hid node --test': 'test/qa/emulator/person.test.ts',
  'openssl s_client': 'test/gateway, for the certificate of a gateway with TLS',
  'npx zbc-signer emulator --usbip-port': 'test/usb, on a separate kernel',
  'npx zbc-signer bridge': 'test/cli/bridge and, with a browser, test/qa/wallet/bridge.test.ts',
  'zbc-signer tx build': 'test/journeys/offline-signing.test.ts',
  'openssl pkey -in release.pem': 'test/tools/key-ceremony.test.ts',
  'head -n 2 shares.txt': 'test/tools/key-ceremony.test.ts',
  'npm pack --workspace zbc-signer': 'npm test -- test/container',
  'make image BOARD=mps2': 'test/boards/porting.test.ts',
  'node cli/bin/zbc-signer.js conformance --device uart:': 'test/boards/serial/by-hand.test.ts',
  'node dist/testkit/boards/qemu/join-uarts.js': 'test/boards/mps2-an505/conformance.test.ts',
  'node cli/bin/zbc-signer.js version --device uart:': 'test/boards/serial/by-hand.test.ts',
  'make system-deps': '.ci/run',
  'make stress SCHEDULES': 'a person, before a release',
  'npx zbc-signer sign-message "Hello from a Pico"': 'a person with a Pico',
  'make release': 'test/boards/release.test.ts',
  'npx zbc-signer image sign': 'test/cli/commands/image-signing.test.ts',
  'npx zbc-signer firmware verify dist/release': 'test/boards/release.test.ts',
  'npx zbc-signer image verify': 'test/cli/commands/image-signing.test.ts',
};

const begins = (sample: Sample, starts: readonly string[]) =>
  starts.some(start => sample.source.startsWith(start));
const isRunByAnotherTest = (sample: Sample) => begins(sample, Object.keys(RUN_BY_ANOTHER_TEST));
const scripts = commands.filter(sample => !installs.includes(sample) && !isRunByAnotherTest(sample));

let project: Project;

beforeAll(() => {
  project = new Project();
  // The test packages need a later Node than the one that may run this.
  project.install(PACKAGES, ['jest', 'fast-check', 'vitest@3', '@playwright/test'], { strict: false });
  const board = findBoard('pico')!;
  const segments = [{ address: board.flashStart, bytes: new Uint8Array(256) }];
  project.write('zbc-signer.uf2', writeImageFile({ format: 'uf2', segments, start: [] }, board));
});
afterAll(() => project.remove());

/** Runs a script with ports that are free on this machine. */
function runScript(source: string): { status: number | null; output: string } {
  project.write('sample.sh', `ip link set lo up\nset -e\nrm -f terminal-*\n${source}`);
  const { status, stdout, stderr } = project.run(
    'unshare',
    '-rnpf',
    '--kill-child',
    'timeout',
    '100',
    'bash',
    'sample.sh',
  );
  return { status, output: stdout + stderr };
}

test('there are samples of each kind', () => {
  expect(inLanguage('js').length).toBeGreaterThan(8);
  expect(inLanguage('ts').length).toBeGreaterThan(0);
  expect(scripts.length).toBeGreaterThan(4);
  expect(installs.length).toBeGreaterThan(6);
});

test.each(inLanguage('js'))('the program at $at runs', ({ source }) => {
  const [, name = 'sample.js'] = /^\/\/ (\S+\.js)\n/.exec(source) ?? [];
  project.write(name, source);
  const [, kind = ''] = /\.(\w+)\.js$/.exec(name) ?? [];
  const words = [...(RUNNERS[kind] ?? []), name];
  const { status, stdout, stderr } = project.run(process.execPath, ...words);
  if (status !== 0) throw new Error(`it ends with ${status}\n${stderr}${stdout}`);
});

test('the samples that are tests write their snapshots', () => {
  expect(readdirSync(join(project.directory, 'snapshots/sign-in')).length).toBeGreaterThan(1);
});

/** Compiles files of the project with the strictest options; returns the compiler's output. */
function compile(...files: string[]): string {
  for (const name of ['@zondax', '@types', '@ledgerhq']) {
    const link = join(project.directory, 'node_modules', name);
    if (!existsSync(link)) symlinkSync(join(root, 'node_modules', name), link);
  }
  const words = [
    '--noEmit',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--jsx',
    'react-jsx',
    '--skipLibCheck',
  ];
  return project.run(join(root, 'node_modules/.bin/tsc'), ...words, ...files).stdout;
}

test.each(inLanguage('ts', 'tsx'))('the program at $at has correct types', ({ language, source }) => {
  // Only the repository has the types of React.
  const file = language === 'tsx' ? join(root, 'dist/sample.tsx') : join(project.directory, 'sample.ts');
  writeFileSync(file, source);
  expect(compile(file)).toBe('');
});

test('the recipes of docs/WALLET.md are strict TypeScript too', () => {
  const recipes = inLanguage('js').filter(({ at }) => at.startsWith('docs/WALLET.md'));
  const files = recipes.map(({ at, source }) => {
    const name = `${/^\/\/ (\S+)\.js\n/.exec(source)?.[1] ?? at}.ts`;
    project.write(name, source);
    return name;
  });
  expect(files.length).toBeGreaterThan(9);
  const said = compile(...files);
  // The files must be removed, because they would hide programs with the same names.
  for (const name of files) rmSync(join(project.directory, name));
  expect(said).toBe('');
});

/** Runs the sample's npm lines next to packed files; the checkout is this one. */
function installAsTyped(source: string): string[] {
  const empty = new Project();
  try {
    for (const file of readdirSync(TARBALLS)) symlinkSync(join(TARBALLS, file), join(empty.directory, file));
    const typed = source.split('\n').filter(line => /^npm /.test(line));
    const script = typed.join('\n').replaceAll('/path/to/zbc-signer', root);
    const settings = ['npm_config_prefer_offline=true', 'npm_config_audit=false'];
    const { status, stderr } = empty.run(
      'env',
      ...settings,
      `npm_config_prefix=${empty.directory}/global`,
      'sh',
      '-ec',
      script,
    );
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    const places = ['node_modules', 'node_modules/@zbc-signer', 'global/lib/node_modules'];
    return places.flatMap(place => {
      const directory = join(empty.directory, place);
      return existsSync(directory) ? readdirSync(directory) : [];
    });
  } finally {
    empty.remove();
  }
}

test.each([...installs, ...installsInWords])(
  'the instructions at $at install their packages, and no packages of these names from a registry',
  ({ source }) => {
    // If an argument is a name and not a path, npm looks the name up in the registry, where nobody owns these
    // names yet.
    expect(source).not.toMatch(/(?:install|-[\w-]+) +(?:\S+ +)*(?:@zbc-signer\/|zbc-signer(?:\s|$))/m);
    const directories = [...source.matchAll(/\/path\/to\/zbc-signer\/([a-z]+)/g)].map(([, name]) => name!);
    const packed = [...source.matchAll(/\.\/zbc-signer-(?:([a-z]+)-)?\d/g)].map(([, name]) => name ?? 'cli');
    const named = [...directories, ...packed].map(name => name.replace(/^cli$/, 'zbc-signer'));
    expect(named.length).toBeGreaterThan(0);
    expect(installAsTyped(source)).toEqual(expect.arrayContaining(named));
  },
);

/** Starts a command, and waits until it reports that it is ready, or has ended. */
function inTerminal(number: number, command: string): string {
  const output = `terminal-${number}`;
  return `${command} >${output} 2>&1 &\nuntil grep -qs '^Ready\\|^ended' ${output}; do sleep 0.1; done`;
}

test.each(scripts.filter(sample => !begins(sample, IN_TERMINALS)))('the commands at $at run', sample => {
  const lines = sample.source.split('\n').filter(line => !line.startsWith('make '));
  // A user waits until a server reports that it is ready.
  const started = lines.map(line =>
    line.replace(/^(npx zbc-signer \w+(?: --[\w-]+)*) +# in (?:one|a second).*/, '$1 &'),
  );
  const typed = started.map((line, i) =>
    /^npx zbc-signer \w+(?: --[\w-]+)* &$/.test(line) ? inTerminal(i, line.slice(0, -' &'.length)) : line,
  );
  const ended = 'cat terminal-* 2>/dev/null || true\nkill $(jobs -p) 2>/dev/null || true';
  // A sample that kills its emulator must leave no emulator running.
  const left = sample.source.includes('kill %1') ? 'wait\n! curl -s http://127.0.0.1:5000/' : '';
  const { status, output } = runScript(`${typed.join('\n')}\n${ended}\n${left}\n`);
  expect([status, output]).toEqual([0, expect.not.stringMatching(/error:|"error"|not found/)]);
});

test.each(scripts.filter(sample => begins(sample, IN_TERMINALS)))(
  'the commands at $at run in terminals until Ctrl-C',
  ({ source }) => {
    const lines = source.trim().split('\n');
    const started = lines.map((line, i) => inTerminal(i, `(trap : INT; ${line}; echo "ended with $?")`));
    const ended = 'for job in $(jobs -p); do kill -INT -- -$job || true; done; wait; cat terminal-*';
    const { status, output } = runScript(`rm -f gateway.json\nset -m\n${started.join('\n')}\n${ended}\n`);
    expect([status, output]).toEqual([0, expect.not.stringMatching(/error:/)]);
    expect(output.match(/^ended with 0$/gm)).toHaveLength(lines.length);
  },
);

interface WorkflowStep {
  run?: string;
  uses?: string;
  with?: Record<string, string>;
}

test('the commands of docs/ci/github-actions.yml run, and write the files that it uploads', () => {
  const workflow = parse(readText('docs/ci/github-actions.yml')) as {
    jobs: Record<string, { env: Record<string, string>; steps: WorkflowStep[] }>;
  };
  const { env, steps } = workflow.jobs.screens!;
  const given = { ...env, GITHUB_STEP_SUMMARY: 'reports/summary.md' };
  const settings = Object.entries(given).map(([name, value]) => `${name}=${value}`);
  const runs = steps.flatMap(({ run }) => run ?? []);
  // The packages are installed from the tarballs.
  expect(runs[0]).toBe('npm ci');
  for (const command of runs.slice(1)) {
    const { status, stdout, stderr } = project.run('env', 'CI=true', ...settings, 'sh', '-ec', command);
    if (status !== 0) throw new Error(`${command} ends with ${status}\n${stderr}${stdout}`);
  }
  const uploaded = steps.find(({ uses = '' }) => uses.includes('upload-artifact'))!.with!.path!;
  const reports = readdirSync(join(project.directory, uploaded)).sort();
  expect(reports).toEqual(['coverage', 'summary.md', 'traces']);
  const read = (name: string) => readFileSync(join(project.directory, uploaded, name), 'utf8');
  expect(read('summary.md')).toMatch(/^### Coverage of the signer's screens\n[\s\S]*\n- title: /);
});
