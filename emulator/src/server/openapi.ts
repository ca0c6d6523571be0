import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifySchema {
    /** One line for the API page. */
    summary?: string;
    /** The media type of the reply, `application/json` by default. */
    produces?: string;
  }
}

interface ObjectSchema {
  required?: readonly string[];
  properties?: Readonly<Record<string, object>>;
}

/** The operations of a path by method, in lower case. */
type PathItem = Record<string, object>;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  paths: Record<string, PathItem>;
}

const INFO = {
  title: 'ZBC Signer emulator',
  version: '1.0.0',
  description: 'REST API of the emulated signer, compatible with clients of Speculos.',
};

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' } },
};
const REFUSALS = {
  '4XX': { description: 'Error', content: { 'application/json': { schema: ERROR } } },
};

/** Returns a document that grows with every route added to the server afterwards. */
export function describeRoutes(server: FastifyInstance): OpenApiDocument {
  const document: OpenApiDocument = { openapi: '3.1.0', info: INFO, paths: {} };
  server.addHook('onRoute', route => {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    for (const method of [route.method].flat().filter(name => name !== 'HEAD')) {
      (document.paths[path] ??= {})[method.toLowerCase()] = describeRoute(route);
    }
  });
  return document;
}

function describeRoute({ schema = {} }: RouteOptions): object {
  const parameters = [
    ...parametersOf(schema, 'params', 'path'),
    ...parametersOf(schema, 'querystring', 'query'),
  ];
  return {
    ...(schema.summary !== undefined && { summary: schema.summary }),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: schema.body } } },
    }),
    responses: {
      200: { description: 'Success', content: { [schema.produces ?? 'application/json']: {} } },
      ...REFUSALS,
    },
  };
}

function parametersOf(
  schema: FastifySchema,
  part: 'params' | 'querystring',
  where: 'path' | 'query',
): object[] {
  const { properties = {} } = (schema[part] ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: where,
    required: where === 'path',
    schema: value,
  }));
}
