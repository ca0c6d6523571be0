import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { npm, plainEnvironment, type RunResult, run } from './npm.js';
import { type PackageName, TARBALLS, tarballPath } from './tarballs.js';

interface LockedPackage {
  hasInstallScript?: boolean;
}

/** A directory into which a user installs packages. It is empty at first. */
export class Project {
  readonly directory = mkdtempSync(join(tmpdir(), 'project-'));

  constructor(private readonly tarballs = TARBALLS) {
    this.write('package.json', '{"name":"project","private":true,"type":"module"}');
  }

  write(name: string, text: string | Uint8Array): void {
    writeFileSync(join(this.directory, name), text);
  }

  /**
   * Installs tarballs, and packages of the registry by name. If `strict`, the installation fails if a package
   * does not support this version of Node.
   */
  install(
    packages: readonly PackageName[],
    others: readonly string[] = [],
    { node, strict = true }: { node?: string; strict?: boolean } = {},
  ): void {
    const flags = [...(strict ? ['--engine-strict'] : []), '--prefer-offline', '--no-audit', '--no-fund'];
    const paths = packages.map(name => tarballPath(name, this.tarballs));
    npm(['install', ...flags, ...paths, ...others], this.directory, node);
  }

  /**
   * Returns the installed packages with their paths in the project, without packages for other operating
   * systems.
   */
  installed(): [path: string, entry: LockedPackage][] {
    const lock = JSON.parse(
      readFileSync(join(this.directory, 'node_modules/.package-lock.json'), 'utf8'),
    ) as {
      packages: Record<string, LockedPackage>;
    };
    return Object.entries(lock.packages).filter(([path]) => path !== '');
  }

  installScripts(): string[] {
    return this.installed().flatMap(([path, entry]) => (entry.hasInstallScript === true ? [path] : []));
  }

  /** Runs a program. The installed commands are in its PATH. */
  run(program: string, ...words: string[]): RunResult {
    const env = plainEnvironment();
    env.PATH = [join(this.directory, 'node_modules/.bin'), env.PATH].join(delimiter);
    return run(program, words, this.directory, env);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
