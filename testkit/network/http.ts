import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

export interface HttpReply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface HttpOptions {
  body?: string | Buffer;
  headers?: OutgoingHttpHeaders;
}

/** Sends a request. Resolves when the headers of the reply have arrived. */
export async function openRequest(
  method: string,
  url: string,
  { body, headers = {} }: HttpOptions = {},
): Promise<{ sent: ClientRequest; response: IncomingMessage }> {
  const sent = request(url, { method, headers, agent: false }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { sent, response };
}

export async function readBody(response: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await response.toArray());
}

export async function httpRequest(
  method: string,
  url: string,
  options: HttpOptions = {},
): Promise<HttpReply> {
  const { response } = await openRequest(method, url, options);
  return { status: response.statusCode!, headers: response.headers, body: await readBody(response) };
}

/** Sends and receives JSON. Throws if the status of the reply is not 200. */
export async function callJson<T = unknown>(method: string, url: string, document?: object): Promise<T> {
  const { status, body } = await httpRequest(method, url, document ? { body: JSON.stringify(document) } : {});
  if (status !== 200) throw new Error(`${method} ${url}: expected status 200, found ${status} ${body}`);
  return JSON.parse(body.toString());
}
