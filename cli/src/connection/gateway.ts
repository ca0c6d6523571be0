import { ExplorerClient } from '@zbc-signer/host/explorer';
import { defaultApi } from '../input/defaults.js';
import { localhostFetch } from './localhost-fetch.js';

/** A client of the gateway at `--api`, or at the default URL. */
export function openGateway({ api }: { api?: string | undefined }): ExplorerClient {
  return new ExplorerClient(api ?? defaultApi(), { fetch: localhostFetch });
}
