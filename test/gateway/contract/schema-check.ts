import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parse } from 'lossless-json';
import { readDocument } from '../../../testkit/gateway/openapi-document.js';
import { CHAIN_RECORDS, SCHEMAS } from './records.js';

type Json = Record<string, unknown>;

const { paths, components } = await readDocument();
const RANGES: Record<string, [bigint, bigint]> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

const IPV4 = /^\d+(\.\d+){3}$/;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { ipv4: IPV4, ip: IPV4 } });
// Integers are compared as bigint, because numbers above 2^53 would be rounded into any range.
ajv.addKeyword({
  keyword: 'x-integer',
  schema: true,
  validate: ({ format = 'int64', minimum, maximum }: Json, value: unknown) => {
    const [low, high] = RANGES[format as string]!;
    return (
      typeof value === 'bigint' &&
      value >= BigInt((minimum as number | undefined) ?? low) &&
      value <= BigInt((maximum as number | undefined) ?? high)
    );
  },
});
ajv.addKeyword({
  keyword: 'x-number',
  validate: (_schema: unknown, value: unknown) => typeof value === 'bigint' || typeof value === 'number',
});
ajv.addSchema({
  $id: 'document',
  components: strictly({ schemas: { ...components.schemas, ...SCHEMAS } }) as object,
});

/** Returns the schema for JSON whose integers are bigint. Fields that the schema does not name are faults. */
function strictly(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictly);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = schema as Json;
  if (type === 'integer') return { 'x-integer': rest };
  if (type === 'number') return { 'x-number': true };
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#', 'document#') : strictly(value),
    ]),
  );
  return type === 'object' && 'properties' in inner ? { additionalProperties: false, ...inner } : inner;
}

/** Returns how an answer deviates from the document's route and status. `path` has no query. */
export function faultsOf(method: string, path: string, status: number, type: string, text: string): string[] {
  const item = Object.entries(paths).find(([template]) =>
    new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.[1];
  // The response to HEAD is that to GET without the body.
  const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (operation === undefined) {
    return [403, 404, 405].includes(status) ? [] : [`no ${method} ${path} in the document`];
  }
  const answer = operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined);
  if (answer === undefined) return [`${operation.operationId} has no ${status}`];
  const media = type.split(';')[0]!;
  const content = answer.content?.[media];
  if (content === undefined) return [`${operation.operationId} has no ${media} for ${status}`];
  if (media !== 'application/json' || method === 'HEAD') return [];
  const record = status < 300 ? CHAIN_RECORDS[operation.operationId] : undefined;
  const validate = ajv.compile(strictly(record ?? content.schema) as object);
  validate(readJson(text));
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }: ErrorObject) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

export function readJson(text: string): Json {
  return parse(text, undefined, digits => (/^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits))) as Json;
}
