import { ExplorerClient } from '@zbc-signer/host/explorer';
import { inOption } from '../errors/option-error.js';
import { apiSetting } from '../input/settings.js';
import { localhostFetch } from './localhost-fetch.js';

/** A client of the gateway at `--api`, or at the default URL. */
export function openGateway({ api }: { api?: string | undefined }): ExplorerClient {
  const { value, source } = apiSetting(api);
  return inOption(source, () => new ExplorerClient(value, { fetch: localhostFetch }));
}
