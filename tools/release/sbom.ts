import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleaseManifest, sha256Hex } from '@zbc-signer/image';

interface Component {
  name: string;
  version: string;
  licence: string;
  purl: string;
  description: string;
}

/** Third-party code from npm in the module and the images, by its name in the lock file. */
const FROM_NPM = [
  {
    name: 'assemblyscript',
    licence: 'Apache-2.0',
    description: 'compiles the module; parts of its standard library are in it',
  },
  {
    name: 'galmuri',
    licence: 'OFL-1.1',
    description: 'typeface from which the glyphs in the module are derived',
  },
];

/** Returns a CycloneDX 1.6 list of a release's components. The same release always gives the same text. */
export function formatSbom(
  root: string,
  manifest: Omit<ReleaseManifest, 'files'>,
  files: ReleaseManifest['files'],
): string {
  const { version, sources, toolchain } = manifest;
  const firmware = `pkg:generic/zbc-signer-firmware@${version}`;
  const components = [...npmComponents(root), ...debianComponents(toolchain)];
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(sources.sha256)}`,
    version: 1,
    metadata: {
      component: {
        type: 'firmware',
        'bom-ref': firmware,
        name: 'zbc-signer',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        purl: firmware,
      },
      tools: {
        components: toolchain.map(({ name, version: of }) => ({ type: 'application', name, version: of })),
      },
    },
    components: [
      ...components.map(({ name, version: of, licence, purl, description }) => ({
        type: 'library',
        'bom-ref': purl,
        name,
        version: of,
        description,
        licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
        purl,
      })),
      ...files.map(({ name, sha256 }) => ({
        type: 'file',
        'bom-ref': `file:${name}`,
        name,
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      })),
    ],
    dependencies: [{ ref: firmware, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function npmComponents(root: string): Component[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  return FROM_NPM.map(component => {
    const { version } = packages[`node_modules/${component.name}`]!;
    return { ...component, version, purl: `pkg:npm/${component.name}@${version}` };
  });
}

/** Libraries linked into the images of boards. */
function debianComponents(toolchain: ReleaseManifest['toolchain']): Component[] {
  const versionOf = (ending: string) => toolchain.find(({ name }) => name.endsWith(ending))?.version ?? '';
  const [libgcc, libc, wabt] = [versionOf('libgcc.a'), versionOf('libc_nano.a'), versionOf('wasm-rt.h')];
  return [
    {
      name: 'libgcc',
      version: libgcc,
      licence: 'GPL-3.0-or-later WITH GCC-exception-3.1',
      purl: `pkg:generic/libgcc@${encodeURIComponent(libgcc)}`,
      description: 'arithmetic helpers of the compiler, in the images of boards',
    },
    {
      name: 'newlib',
      version: libc,
      licence: 'BSD-3-Clause',
      purl: `pkg:generic/newlib@${encodeURIComponent(libc)}`,
      description: 'memory functions of the C library, in the images of boards',
    },
    {
      name: 'wabt',
      version: wabt,
      licence: 'Apache-2.0',
      purl: `pkg:deb/debian/wabt@${encodeURIComponent(wabt)}`,
      description: 'wasm2c and the header of its runtime, in the images of boards',
    },
  ];
}

/** Derives a UUID from a hash in hex (RFC 9562, version 8). */
function uuidOf(digest: string): string {
  const name = sha256Hex(`zbc-signer sbom ${digest}`);
  return [
    name.slice(0, 8),
    name.slice(8, 12),
    `8${name.slice(13, 16)}`,
    `8${name.slice(17, 20)}`,
    name.slice(20, 32),
  ].join('-');
}
