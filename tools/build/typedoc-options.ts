// Options of TypeDoc for `make docs`: the reference of every entry point of every library.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Manifest {
  workspaces: string[];
  exports: Record<string, unknown>;
}

const manifestOf = (directory: string) =>
  JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')) as Manifest;

/** The directories of the libraries. The command line is a program, which nothing imports. */
export const LIBRARIES = manifestOf('').workspaces.filter(name => name !== 'cli');

/** The sources behind the entry points of a package, as paths from the root. */
export function entryPointsOf(directory: string): string[] {
  return Object.values(manifestOf(directory).exports)
    .map(entry => String(Reflect.get(Object(entry), 'types')))
    .map(path => join(directory, path.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts')))
    .flatMap(path => (path.endsWith('/*.ts') ? modulesIn(dirname(path)) : [path]))
    .filter(path => path.endsWith('.ts') && existsSync(join(root, path)));
}

function modulesIn(directory: string): string[] {
  return readdirSync(join(root, directory)).map(name => join(directory, name));
}

export default {
  name: 'zbc-signer',
  tsconfig: join(root, 'tools/docs/tsconfig.json'),
  entryPoints: LIBRARIES.flatMap(entryPointsOf).map(path => join(root, path)),
  basePath: root,
  out: join(root, 'dist/reference'),
  readme: join(root, 'docs/WALLET.md'),
  disableGit: true,
  sourceLinkTemplate: 'https://github.com/zbc-signer/zbc-signer/blob/main/{path}#L{line}',
  excludeInternal: true,
  excludePrivate: true,
  treatWarningsAsErrors: true,
  validation: { notExported: true, invalidLink: true, notDocumented: true },
  skipErrorChecking: true,
  packagesRequiringDocumentation: LIBRARIES.map(name => `@zbc-signer/${name}`),
  requiredToBeDocumented: ['Variable', 'Function', 'Class', 'Interface', 'TypeAlias', 'Accessor'],
};
