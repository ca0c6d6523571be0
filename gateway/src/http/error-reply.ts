import { type ServerResponse, STATUS_CODES } from 'node:http';
import { errorBody } from '../errors.js';

/** An error for whoever no app answers; the connection ends with it. */
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

/** Answers with an error and ends the connection. */
export function refuseRequest(response: ServerResponse, statusCode: number, message?: string): void {
  const { headers, body } = errorReply(statusCode, message);
  response.writeHead(statusCode, headers).end(body);
}
