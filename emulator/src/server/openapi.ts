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
function describeRoutes(server: FastifyInstance): OpenApiDocument {
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

const PAGE = { summary: 'API reference', produces: 'text/html' };
/** The page loads no resources. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const STYLE = 'body{font:16px/1.5 sans-serif;margin:2rem}td{padding:.2rem 1rem .2rem 0;vertical-align:top}';

/**
 * GET /swagger/ and /swagger/openapi.json: the operations of this API. Describes only routes added after it.
 */
export function routeSwagger(server: FastifyInstance): void {
  const document = describeRoutes(server);
  for (const path of ['/swagger', '/swagger/']) {
    server.get(path, { schema: PAGE }, (_request, reply) =>
      reply.type('text/html').header('content-security-policy', POLICY).send(drawPage(document)),
    );
  }
  server.get('/swagger/openapi.json', { schema: { summary: 'OpenAPI document' } }, async () => document);
}

function drawPage({ info, paths }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => drawRow(method, path, operation)),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${info.title}</title><style>${STYLE}</style></head>
<body><h1>${info.title}</h1><p>${info.description} <a href="/swagger/openapi.json">OpenAPI document</a></p>
<table>
${rows.join('\n')}
</table></body></html>
`;
}

function drawRow(method: string, path: string, { summary = '' }: { summary?: string }): string {
  return `<tr><td>${method.toUpperCase()}</td><td><code>${path}</code></td><td>${summary}</td></tr>`;
}
