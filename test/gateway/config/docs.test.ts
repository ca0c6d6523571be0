import { parseGatewayConfig } from '#gateway/config/parse.js';
import { snakeCase } from '#gateway/config/reader.js';
import { GATEWAY_FIELDS } from '#gateway/config/schema.js';
import { readText } from '../../../testkit/repository/repository.js';

/** Returns the fields of docs/gateway/configuration.md with their documented defaults. */
function documentedFields(): Map<string, string> {
  const rows = [
    ...readText('docs/gateway/configuration.md').matchAll(
      /^\| `([a-z0-9_.[\]]+)` \| (none|required|`.+?`) \|/gm,
    ),
  ];
  return new Map(rows.map(([, name, fallback]) => [name!, fallback!.replaceAll('`', '')]));
}

const documented = documentedFields();
const top = Object.keys(GATEWAY_FIELDS).map(snakeCase);

test('the documented table lists every field, and no other', () => {
  const listed = [...new Set([...documented.keys()].map(name => name.split(/[.[]/)[0]!))];
  expect(listed.sort()).toEqual(top.sort());
});

/** Returns the JSON object with these fields, which are given by their paths. */
function nested(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const json: Record<string, Record<string, unknown> | unknown> = {};
  for (const [path, value] of entries) {
    const [first, second] = path.split('.') as [string, string | undefined];
    if (second === undefined) {
      json[first] = value;
    } else {
      Object.assign((json[first] ??= {}) as object, { [second]: value });
    }
  }
  return json;
}

test('the configuration for production in operating.md is valid', () => {
  const [, written] = /^ {3}```json\n( {3}\{\n[\s\S]*?)^ {3}```$/m.exec(
    readText('docs/gateway/operating.md'),
  )!;
  expect(parseGatewayConfig(JSON.parse(written!), '/')).toMatchObject({
    publicUrl: 'https://gateway.example',
  });
});

test('a configuration with all documented defaults equals the configuration without them', () => {
  const needed = { gateway_host: 'localhost', admin_api_key: 'k3y-'.repeat(8), metrics: { port: 9100 } };
  const defaults = [...documented]
    .filter(([name, fallback]) => !['none', 'required'].includes(fallback) && !name.includes('['))
    .map(([name, fallback]) => [name, JSON.parse(fallback)] as const);
  const { metrics, ...rest } = nested(defaults);
  const written = { ...needed, ...rest, metrics: { ...needed.metrics, ...(metrics as object) } };
  expect(parseGatewayConfig(written, '/')).toEqual(parseGatewayConfig(needed, '/'));
  expect(defaults.length).toBeGreaterThan(15);
});

test('fields documented without a default have none, and fields documented as required are required', () => {
  const config = parseGatewayConfig({ gateway_host: 'x', admin_api_key: 'k3y-'.repeat(8) }, '/');
  const present = Object.keys(config).map(snakeCase);
  const absent = [...documented].filter(([, fallback]) => fallback === 'none').map(([name]) => name);
  expect(absent.filter(name => present.includes(name))).toEqual([]);
  expect(top.filter(name => !present.includes(name)).sort()).toEqual(
    absent.filter(name => top.includes(name)).sort(),
  );
  for (const name of top.filter(field => documented.get(field) === 'required')) {
    expect(() => parseGatewayConfig({}, '/')).toThrow(
      expect.objectContaining({
        facts: { faults: expect.arrayContaining([`${name} is missing`]) },
      }),
    );
  }
});

test('the documented metrics are those that exist', async () => {
  const { Traffic } = await import('#gateway/monitoring/traffic.js');
  const { createMetrics } = await import('#gateway/monitoring/metrics.js');
  const { AnsweredRequests } = await import('#gateway/monitoring/answered-requests.js');
  const nodes = { nodes: () => [] };
  const register = await createMetrics({
    answers: new AnsweredRequests(),
    traffic: new Traffic(),
    current: () => ({ nodes: nodes as never }),
    refused: { all: 0, client: 0 },
    certificateEndMs: () => undefined,
  });
  const listed = [...readText('docs/gateway/running.md').matchAll(/^\| `(zbc_gateway_\w+)` \| (.*?) ?\|/gm)];
  const own = register.getMetricsAsArray().filter(({ name }) => !/_(process|nodejs)_/.test(name));
  expect(listed.map(([, name]) => name).sort()).toEqual(own.map(({ name }) => name).sort());
});
