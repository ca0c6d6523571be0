import {
  ARCHIVAL_ONLY,
  chainBackedRoute,
  chainRoute,
  errors,
  file,
  inPath,
  inQuery,
  json,
  ownRoute,
  type Paths,
} from './operation.js';
import { described, FLAG, HASH, listOf, record, ref, SECONDS, TEXT, UINT64 } from './schema.js';

const SHA256 = described('SHA-256 of the file', HASH);
const FILE = { arch: TEXT, name: TEXT, size: described('Bytes', UINT64) };

export const RELEASE_SCHEMAS = {
  Release: record({
    version: TEXT,
    released_at: SECONDS,
    files: listOf(record({ ...FILE, sha256: SHA256 })),
  }),
};

const SEGMENT = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' };
const ATTACHMENT = {
  200: file('The file, as an attachment', 'application/octet-stream'),
  206: file('The requested range', 'application/octet-stream'),
  304: { description: 'Not modified' },
  ...errors({ 404: 'No such file', 416: 'The range is outside the file' }),
};

export const RELEASE_PATHS: Paths = {
  '/api/v1/release/list': {
    get: chainRoute(ARCHIVAL_ONLY, {
      operationId: 'releases',
      summary: 'Published releases and the hashes of their files, newest first',
      answers: { 200: json('The releases', record({ releases: listOf(ref('Release')) })) },
    }),
  },
  '/dl/{name}': {
    get: ownRoute({
      operationId: 'download',
      summary: 'A file published by the operator',
      parameters: [inPath('name', SEGMENT, 'One segment')],
      answers: ATTACHMENT,
    }),
  },
  '/releases/latest': {
    get: ownRoute({
      operationId: 'latestRelease',
      summary: 'The latest release of this gateway',
      answers: {
        200: json(
          'Its bundles',
          record({ version: TEXT, files: listOf(record({ ...FILE, url: TEXT, sha256: SHA256 })) }),
        ),
        ...errors({ 404: 'This gateway has no releases' }),
      },
    }),
  },
  '/releases/{version}/{arch}/': {
    get: ownRoute({
      operationId: 'releaseBundle',
      summary: 'The bundle of a release for one architecture',
      parameters: [
        inPath('version', SEGMENT, 'For example 1.0.0'),
        inPath('arch', SEGMENT, 'For example linux-amd64'),
      ],
      answers: ATTACHMENT,
    }),
  },
  '/install': {
    get: ownRoute({
      operationId: 'installer',
      summary: 'A script that downloads, verifies and unpacks the latest release',
      answers: {
        200: file('The script', 'text/x-shellscript'),
        ...errors({ 404: 'This gateway has no releases' }),
      },
    }),
  },
  '/verify': {
    get: chainBackedRoute({
      operationId: 'verify',
      summary: 'Whether the chain publishes a file with this hash',
      description: 'Without a hash, browsers get a page that computes it.',
      parameters: [inQuery('sha256', HASH, 'Of the file')],
      answers: {
        200: {
          description: 'The published file with this hash, or the page',
          content: {
            'application/json': {
              schema: record({
                sha256: SHA256,
                published: FLAG,
                'release?': record({ version: TEXT, ...FILE, released_at: SECONDS }),
              }),
            },
            'text/html': { schema: TEXT },
          },
        },
      },
    }),
  },
};
