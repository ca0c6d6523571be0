import type { FastifyInstance } from 'fastify';
import { describeRoutes, type OpenApiDocument } from '../openapi.js';

const PAGE = { summary: 'API reference', produces: 'text/html' };
/** The page loads nothing. */
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
