import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = 'buildah';
const STUCK_MS = 240_000;
/** Isolation that needs no cgroups, no separate network and no daemon. */
const ISOLATION = ['--isolation', 'chroot'];

/** The settings of an image with which containers run. */
interface ImageConfig {
  User: string;
  Entrypoint: string[];
  Healthcheck: { Test: string[] };
}

/** Debian's buildah, with images in a temporary directory of its own. */
export class Buildah {
  readonly #directory = mkdtempSync(join(tmpdir(), 'buildah-'));

  /** Builds an image without pulling images from a registry. */
  build(name: string, context: string, ...options: string[]): void {
    const how = [...ISOLATION, '--format', 'docker', '--pull=never'];
    this.#run('build', ...how, '--tag', name, ...options, context);
  }

  configOf(image: string): ImageConfig {
    const { Docker } = JSON.parse(this.#run('inspect', '--type', 'image', image));
    return Docker.config as ImageConfig;
  }

  /** Creates a container of an image. Returns the name of the container. */
  from(image: string): string {
    return this.#run('from', '--pull=never', image).trim();
  }

  /**
   * Runs a command in a container, as the user of the image. Returns its output. Throws with the output if it
   * fails.
   */
  run(container: string, ...command: string[]): string {
    return this.#run(...runWords(container, command));
  }

  /** Copies a file of this machine into a container. The container's user `node` owns the copy. */
  copy(container: string, from: string, to: string): void {
    this.#run('copy', '--chown', 'node:node', container, from, to);
  }

  /** Tries to write a file in a container. Returns `written` or the error code. */
  tryWrite(container: string, path: string): string {
    const script = `try { fs.writeFileSync('${path}', ''); console.log('written') } catch (error) { console.log(error.code) }`;
    return this.run(container, 'node', '-e', script).trim();
  }

  /** Starts a command in a container, in its own process group. */
  start(container: string, ...command: string[]): ChildProcess {
    const words = [...this.#storage(), ...runWords(container, command)];
    return spawn(PROGRAM, words, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  }

  remove(): void {
    spawnSync(PROGRAM, [...this.#storage(), 'rm', '--all']);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #run(...words: string[]): string {
    const { status, stdout, stderr, error } = spawnSync(PROGRAM, [...this.#storage(), ...words], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      timeout: STUCK_MS,
    });
    if (error)
      throw new Error(`cannot run ${PROGRAM} (${error.message}); install it with apt-get install buildah`);
    if (status !== 0) throw new Error(`${PROGRAM} ${words.join(' ')} failed\n${stdout}${stderr}`);
    return stdout;
  }

  #storage(): string[] {
    const [images, state] = [join(this.#directory, 'images'), join(this.#directory, 'state')];
    return ['--root', images, '--runroot', state, '--storage-driver', 'vfs'];
  }
}

const runWords = (container: string, command: readonly string[]): string[] => [
  'run',
  ...ISOLATION,
  '--cap-drop',
  'all',
  container,
  '--',
  ...command,
];
