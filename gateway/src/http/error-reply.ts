import { type ServerResponse, STATUS_CODES } from 'node:http';
import { errorBody } from '../base/errors.js';

/** Head and body of an error that closes the connection. */
export function errorReply(statusCode: number, message = STATUS_CODES[statusCode]!) {
  const body = JSON.stringify(errorBody(statusCode, message));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { headers, body };
}

/** Answers with an error and closes the connection. */
export function refuseRequest(response: ServerResponse, statusCode: number, message?: string): void {
  const { headers, body } = errorReply(statusCode, message);
  response.writeHead(statusCode, headers).end(body);
}
