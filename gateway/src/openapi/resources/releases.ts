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
} from '../operation.js';
import { FLAG, HASH, listOf, record, ref, SECONDS, TEXT, told, UINT64 } from '../schema.js';

const SHA256 = told('SHA-256 of the file', HASH);
const FILE = { arch: TEXT, name: TEXT, size: told('Bytes', UINT64) };

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
  206: file('The part that Range asks for', 'application/octet-stream'),
  304: { description: 'The file is still the one of If-None-Match' },
  ...errors({ 404: 'There is no such file', 416: 'The file does not have the range that is asked for' }),
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
      summary: 'A file that the operator published',
      parameters: [inPath('name', SEGMENT, 'One segment')],
      answers: ATTACHMENT,
    }),
  },
  '/releases/latest': {
    get: ownRoute({
      operationId: 'latestRelease',
      summary: 'The newest release that this gateway has',
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
      summary: 'The bundle of a release for one kind of machine',
      parameters: [inPath('version', SEGMENT, 'As 1.0.0'), inPath('arch', SEGMENT, 'As linux-amd64')],
      answers: ATTACHMENT,
    }),
  },
  '/install': {
    get: ownRoute({
      operationId: 'installer',
      summary: 'A script that downloads, verifies and unpacks the newest release',
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
      description: 'Without a hash, a browser gets a page that computes it.',
      parameters: [inQuery('sha256', HASH, 'Of the file')],
      answers: {
        200: {
          description: 'What the chain publishes under the hash, or the page',
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
