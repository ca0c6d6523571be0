// make test-bare-machine: runs the commands of README, CONTRIBUTING and docs/boards in a clean clone, on a
// Debian with only make, git and the Node that runs this. Needs root and Debian's mmdebstrap.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandGroups, isInTerminal, nodeSentence } from '../../testkit/packages/documented-commands.js';
import { NPM_PROGRAM } from '../../testkit/packages/npm.js';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { root } from '../../testkit/repository/repository.js';

/** Path in the new root. */
const CLONE = '/root/zbc-signer';
const CERTIFICATES = '/etc/machine-certificates.crt';

/** A bash script that prints each command and its time, continues after a failure, and finally fails. */
function scriptOf(groups: readonly string[][]): string {
  const lineOf = (command: string) =>
    `${isInTerminal(command) ? 'terminal' : 'type'} '${command.replaceAll("'", "'\\''")}'`;
  const typed = groups.map(group => group.map(lineOf));
  return `cd ${CLONE}
type() {
  printf '\n$ %s\n' "$1"; local began=$SECONDS status=0
  bash -ec "$1" </dev/null || { status=$?; failed="$failed; $1"; }
  echo "[ended with $status after $((SECONDS - began)) s]"
}
terminal() {
  printf '\n$ %s    (in a terminal of its own)\n' "$1"
  rm -f /tmp/terminal; touch /tmp/terminal
  setsid bash -c "$1" < <(sleep infinity) >/tmp/terminal 2>&1 & opened="$opened $!"
  for i in {1..150}; do grep -q ^Ready /tmp/terminal && break; kill -0 $! 2>/dev/null || break; sleep 0.1; done
  kill -0 $! 2>/dev/null || failed="$failed; $1"
  cat /tmp/terminal
}
close() { for each in $opened; do kill -- -$each 2>/dev/null; done; opened=; }
${typed.map(lines => `${lines.join('\n')}\nclose`).join('\n')}
test -z "$failed" || { echo "Failed$failed"; exit 1; }
`;
}

let running: ChildProcess | undefined;
// The processes and mounts of the bare machine are in namespaces that end with this child process.
process.on('exit', () => running?.kill('SIGKILL'));
const bare = openDirectory('bare-machine-');
const debian = join(bare, 'root');

/** Runs a command in new namespaces of processes and mounts; returns the output, which is also printed. */
async function isolated(script: string, ...words: string[]): Promise<{ status: number; output: string }> {
  const flags = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const env = {
    HOME: '/root',
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    TERM: 'dumb',
  };
  running = spawn('unshare', [...flags, 'bash', '-c', script, 'bash', ...words], {
    env: {
      ...env,
      NODE_EXTRA_CA_CERTS: CERTIFICATES,
      npm_config_cafile: CERTIFICATES,
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  running.stdout!.on('data', (bytes: Buffer) => {
    output += bytes.toString();
    process.stdout.write(bytes);
  });
  const [status] = (await once(running, 'close')) as [number | null];
  return { status: status ?? 1, output };
}

/**
 * Runs a script in the new root. It does not use chroot, because the kernel allows no user namespaces in a
 * chroot.
 */
function inRoot(script: string): ReturnType<typeof isolated> {
  const enter = `set -e
mount --bind $1 $1; cd $1
for each in dev sys; do mount --rbind /$each $each; done; mount -t proc proc proc
pivot_root . mnt; umount -l /mnt; cd /
exec bash -c "$2" 2>&1`;
  return isolated(enter, debian, script);
}

/** Uses this machine's package sources and download settings. */
async function buildRoot(): Promise<void> {
  const settings = join(bare, 'apt.conf');
  writeFileSync(settings, execFileSync('apt-config', ['dump', 'Acquire']));
  const lists = readdirSync('/etc/apt/sources.list.d').map(name => join('/etc/apt/sources.list.d', name));
  const sources = ['/etc/apt/sources.list', ...lists].filter(
    path => /\.(?:list|sources)$/.test(path) && existsSync(path),
  );
  const flags = ['--variant=minbase', '--include=make,git', `--aptopt=${settings}`];
  const { status } = await isolated('exec mmdebstrap "$@" 2>&1', ...flags, '', debian, ...sources);
  if (status !== 0) throw new Error('mmdebstrap failed; apt-get install mmdebstrap installs it');
}

/** Copies this machine's registry settings into the new root. This machine's own settings stay unchanged. */
function copySettings(): void {
  for (const path of ['/etc/resolv.conf', '/etc/hosts'])
    cpSync(path, join(debian, path), { dereference: true });
  const settingOf = (name: string) =>
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
  const copies = [
    [settingOf('userconfig'), '/root/.npmrc'],
    [settingOf('globalconfig'), '/usr/local/etc/npmrc'],
    [process.env.NODE_EXTRA_CA_CERTS ?? settingOf('cafile'), CERTIFICATES],
  ] as const;
  for (const [from, to] of copies)
    if (existsSync(from)) cpSync(from, join(debian, to), { dereference: true });
}

/** Copies the Node that runs this, and its npm. */
function copyNode(): void {
  const local = join(debian, 'usr/local');
  cpSync(process.execPath, join(local, 'bin/node'));
  cpSync(join(dirname(realpathSync(NPM_PROGRAM)), '..'), join(local, 'lib/node_modules/npm'), {
    recursive: true,
  });
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  }
}

/** Checks that the README's message appears without Node, and with the Node of Debian, which is too old. */
async function checkOldNode(): Promise<void> {
  const sentence = nodeSentence();
  const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs >/dev/null';
  for (const [before, after] of [
    ['true', 'true'],
    [install, 'apt-get autoremove -y -qq --purge nodejs >/dev/null'],
  ]) {
    const { output } = await inRoot(`${before} && cd ${CLONE} && ! make demo && ${after}`);
    if (!output.includes(sentence))
      throw new Error(`without a Node that is new enough, make demo did not say ${sentence}`);
  }
}

const groups = commandGroups();
await buildRoot();
copySettings();
execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, join(debian, CLONE)]);
await checkOldNode();
copyNode();
const { status } = await inRoot(scriptOf(groups));
process.exitCode = status;
