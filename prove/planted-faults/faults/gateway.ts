import type { Module } from '../fault.js';

/** Faults in the gateway, each named by the harm that it does to a user or an operator. */
export const gateway: Module = {
  name: 'gateway',
  guards: 'docs/gateway/routing.md#chain-routes',
  guardsBy: {
    'proxy/chain-read.ts': 'docs/gateway/routing.md#slow-and-failing-nodes',
    'proxy/request-checks.ts': 'docs/gateway/routing.md#request-checks',
    'proxy/request-target.ts': 'docs/gateway/routing.md#request-checks',
    'app.ts': 'docs/gateway/routing.md#gateway-statuses',
    'proxy/request-headers.ts': 'docs/gateway/routing.md#headers-and-bodies',
    'proxy/chain-response.ts': 'docs/gateway/routing.md#headers-and-bodies',
    'upstream/response-headers.ts': 'docs/gateway/routing.md#headers-and-bodies',
    'http/http-server.ts': 'docs/gateway/routing.md#request-checks',
    'http/json-app.ts': 'docs/gateway/routing.md#headers-and-bodies',
    'http/cross-origin.ts': 'docs/gateway/routing.md#other-origins',
    'http/connections.ts': 'docs/gateway/configuration.md#limits-and-monitoring',
    'monitoring/metrics.ts': 'docs/gateway/configuration.md#limits-and-monitoring',
    'gateway.ts': 'docs/gateway/running.md#restart',
    'limits/client.ts': 'docs/gateway/running.md#rate-limits',
    'limits/client-windows.ts': 'docs/gateway/running.md#rate-limits',
    'limits/rate-limits.ts': 'docs/gateway/running.md#rate-limits',
    'nodes/admitted-nodes.ts': 'docs/gateway/routing.md#admitted-and-routed-nodes',
    'nodes/chain-agreement.ts': 'docs/gateway/routing.md#admitted-and-routed-nodes',
    'nodes/node-directory.ts': 'docs/gateway/routing.md#admitted-and-routed-nodes',
    'nodes/known-node.ts': 'docs/gateway/routing.md#admitted-and-routed-nodes',
    'nodes/registry.ts': 'docs/gateway/routing.md#admitted-and-routed-nodes',
    'nodes/forks.ts': 'docs/gateway/routing.md#forks',
    'nodes/resolve.ts': 'docs/gateway/running.md#names-of-nodes',
    'nodes/lag.ts': 'docs/gateway/routing.md#lag',
    'upstream/cancellation.ts': 'docs/gateway/running.md#restart',
    'upstream/response-memory.ts': 'docs/gateway/routing.md#headers-and-bodies',
    'upstream/node-request.ts': 'docs/gateway/routing.md#headers-and-bodies',
    'routes/admin.ts': 'docs/gateway/routes.md#admin-key',
    'routes/allowlist.ts': 'docs/gateway/routes.md#allowlist',
    'openapi/records.ts': 'docs/gateway/routes.md#allowlist',
    'upstream/node-connections.ts': 'docs/gateway/running.md#names-of-nodes',
    'allowlist/allowlist.ts': 'docs/gateway/routes.md#allowlist',
    'files/published-file.ts': 'docs/gateway/routes.md#files',
    'files/send-file.ts': 'docs/gateway/routes.md#files',
    'routes/verify.ts': 'docs/gateway/routes.md#verifying-a-download',
    'pages/page.ts': 'docs/gateway/routes.md#wallet-page',
    'http/tls.ts': 'docs/gateway/running.md#tls',
    'config/load.ts': 'docs/gateway/configuration.md#gatewayjson',
    'config/parse.ts': 'docs/gateway/configuration.md#gatewayjson',
    'base/validation.ts': 'docs/gateway/configuration.md#gatewayjson',
  },
  directory: 'gateway/src',
  tests: ['gateway/hostile/hostile', 'gateway/contract/contract'],
  testsBy: {
    'proxy/chain-read.ts': ['gateway/proxy/second-node'],
    'proxy/chain-router.ts': [
      'gateway/proxy/second-node',
      'gateway/proxy/submits',
      'gateway/proxy/reads',
      'gateway/nodes/lag',
      'gateway/proxy/hostnames',
    ],
    'proxy/combined-outcomes.ts': ['gateway/proxy/reads'],
    'proxy/node-client.ts': ['gateway/proxy/submits', 'gateway/proxy/reads', 'gateway/proxy/passing'],
    'proxy/chain-routes.ts': ['gateway/proxy/departures', 'gateway/proxy/hostnames', 'gateway/nodes/lag'],
    'proxy/chain-response.ts': ['gateway/proxy/passing', 'gateway/hostile/hostile'],
    'proxy/request-checks.ts': [
      'gateway/hostile/hostile',
      'gateway/proxy/hostnames',
      'gateway/nodes/discovery',
      'gateway/http/header-lines',
      'gateway/http/header-count',
    ],
    'proxy/request-target.ts': [
      'gateway/proxy/request-target',
      'gateway/proxy/host-name',
      'gateway/hostile/hostile',
    ],
    'upstream/response-headers.ts': ['gateway/proxy/passing'],
    'http/connections.ts': ['gateway/gateway'],
    'http/http-server.ts': ['gateway/http/pipelining', 'gateway/hostile/hostile'],
    'limits/client-windows.ts': ['gateway/limits/rate-limits', 'gateway/clock-jumps'],
    'nodes/admitted-nodes.ts': ['gateway/routes/allowlist', 'gateway/nodes/discovery', 'gateway/nodes/names'],
    'upstream/node-connections.ts': ['gateway/nodes/names'],
    'upstream/node-request.ts': ['gateway/upstream/response-memory'],
    'nodes/forks.ts': ['gateway/nodes/forks'],
    'nodes/resolve.ts': ['gateway/nodes/names'],
    'nodes/known-node.ts': ['gateway/nodes/health-check', 'gateway/nodes/lag', 'gateway/nodes/forks'],
    'nodes/node-directory.ts': [
      'gateway/nodes/health-check',
      'gateway/nodes/lag',
      'gateway/nodes/discovery',
      'gateway/nodes/names',
      'gateway/routes/allowlist',
    ],
    'routes/admin.ts': ['gateway/routes/admin-key', 'gateway/routes/admin', 'gateway/hostile/hostile'],
    'openapi/records.ts': ['gateway/routes/allowlist'],
    'files/published-file.ts': ['gateway/routes/downloads', 'gateway/hostile/hostile'],
    'limits/rate-limits.ts': ['gateway/limits/rate-limits', 'gateway/routes/admin-key'],
    'files/send-file.ts': ['gateway/routes/downloads'],
    'routes/verify.ts': ['gateway/routes/verify'],
    'config/load.ts': ['gateway/config/load'],
    'config/parse.ts': ['gateway/config/parse'],
    'base/validation.ts': ['gateway/config/parse'],
    'pages/page.ts': ['gateway/pages/page', 'gateway/routes/admin', 'gateway/routes/verify'],
  },
  faults: {
    'proxy/chain-read.ts': {
      'fails every read while one node stalls and another is healthy': [
        'nextMs === undefined || !this.#mayAskToo(next)',
        'nextMs === undefined || !this.#mayAskToo(next) || next.port > 0',
      ],
      'lets a stranger answer for a node that is only slow': [
        "next.source !== 'registry' || this.#running",
        'next.source.length > 0 || this.#running',
      ],
      'says that a record is missing without waiting for the slow archival node that has it': [
        'answer !== undefined || !this.#outcomes.mayHelp(node)',
        'answer !== undefined || !this.#outcomes.mayHelp(ended.node)',
      ],
      'asks a second node a second after the first one has answered': '    clearTimeout(this.#timer);\n',
      'asks a third node although the second one has answered':
        '    if (!this.#running.includes(ended)) return;\n',
    },
    'proxy/chain-router.ts': {
      'asks a node again and again that always stalls': [
        '({ isPoor }) => isPoor)',
        '({ isPoor }) => isPoor === undefined)',
      ],
      'gives up a node later than the host library gives up the gateway': [
        ': config.reads,',
        ': { ...config.reads, tryMs: 20_000, totalMs: 20_000 },',
      ],
      'pays twice, because a broadcast that may have arrived goes to a second node':
        '      if (fault.sent) break;\n',
      'loses a broadcast, because the second full node is not asked when the first one is down': [
        'if (fault.sent) break;',
        'break;',
      ],
      'sends a broadcast to an archival node': [
        "nodes.routed('full').slice(0, MAX_FULL)) {",
        "nodes.routed('archival').slice(0, MAX_FULL)) {",
      ],
      'does not warn that a broadcast without an answer may have been accepted': [
        "noNodeAvailable('full node') : faultError(fault, MAYBE_ACCEPTED)",
        "noNodeAvailable('full node') : faultError(fault)",
      ],
      'does not warn that a broadcast to a named node may have been accepted': [
        'if (answer instanceof NodeFault) throw faultError(answer, MAYBE_ACCEPTED);',
        'if (answer instanceof NodeFault) throw faultError(answer);',
        'gateway/proxy/hostnames',
      ],
      'shows the spendable balance of a full node where a lagging archival node was meant': [
        'archival.length === 0 && path.startsWith(ACCOUNTS)',
        'archival.length === 0 && path === ACCOUNTS',
      ],
      'asks full nodes before archival nodes': [
        'return atEnd([...archival, ...full],',
        'return atEnd([...full, ...archival],',
      ],
      'believes the height that a registered node claims': [
        "(source === 'registry' || (height !== undefined && height < least))",
        '(source !== undefined && height !== undefined && height < least)',
      ],
    },
    'proxy/combined-outcomes.ts': {
      'fails half of the reads while one of two nodes limits the gateway': [
        'status >= 500 || status === LIMITED ||',
        'status >= 500 ||',
      ],
      'fails half of the reads while one of two nodes refuses the gateway': [' || status === 403;', ';'],
      'tells a client that it sent too much when a node limits the gateway': [
        'if (status !== LIMITED) return failed;',
        'return failed;',
      ],
      'answers that a payment does not exist because one full node does not know it': [
        "if (node.role === 'full' ? this.#archivalMayHaveIt()",
        "if (node.role === 'full' ? false",
      ],
      'passes on a 404 of an archival node that full nodes would answer': [
        'answer.status === 404 && answer.body.length === 0',
        'answer.status === 404 && answer.body.length > 0',
      ],
      'keeps long failures without counting their memory': [
        'answer.body.length > MAX_FAILURE_BYTES',
        'answer.body.length > Number.MAX_SAFE_INTEGER',
        'gateway/proxy/passing',
      ],
      'passes on the failure of one node although another one is healthy': [
        'return status >= 500 ||',
        'return status > 500 ||',
      ],
    },
    'proxy/node-client.ts': {
      'does not say in log and metrics that a node stalls': [
        "outcome.kind === 'cancelled' && isSlow",
        "outcome.kind === 'broken' && isSlow",
        'gateway/proxy/second-node',
      ],
      'sends a broadcast over a connection that the node may be closing': [
        'connections.fresh(node);',
        "connections.shared(node, 'reads').dispatcher as never;",
      ],
      'passes a redirect of a node on to wallets': [
        'status < 300 && status !== 206',
        'status < 400 && status !== 206',
      ],
      'passes on a part of a body as if it were the whole': [
        '(status < 300 && status !== 206)',
        '(status < 300)',
      ],
    },
    'proxy/chain-routes.ts': {
      'lets a named archival node accept a broadcast': [
        "if (node.role !== 'full') {",
        "if (node.role === 'full' && !node.routed) {",
      ],
      'sends a read for one named node to another node': [
        'if (node === null) return router.read',
        'if (node === null || !node.routed) return router.read',
      ],
      'takes a height of twenty digits from a client': [String.raw`/^\d{1,19}$/`, String.raw`/^\d{1,20}$/`],
    },
    'proxy/chain-response.ts': {
      'lets a node run a script in the origin of the wallet': [
        "'content-security-policy', CONTENT_POLICY)",
        "'x-frame-options', CONTENT_POLICY)",
      ],
      'renders an answer with two types as a page': ['(?:\\s*;[^,]*)?$/i', '(?:\\s*;|$)/i'],
      'renders the answer of a node as a page': [
        'type !== undefined && JSON_TYPE.test(type)',
        'type !== undefined',
      ],
    },
    'http/json-app.ts': {
      'lets browsers store balances': [
        "'cache-control': 'no-store',",
        "'cache-control': 'max-age=60',",
        'gateway/proxy/passing',
      ],
    },
    'proxy/request-checks.ts': {
      'passes on a compressed broadcast as if it were none': [
        "coding !== undefined && coding.toLowerCase() !== 'identity'",
        "coding === 'x'",
      ],
      'serves a request whose target names another host': [
        'authority !== undefined && authority.toLowerCase() !== host.toLowerCase()',
        "authority === ''",
      ],
      'lets a stranger reach a host that is not on the allowlist': [
        'if (node === undefined || isUnproven(node, nodes)) throw notServed();',
        'if (node === undefined) return asked as KnownNode;',
      ],
      'sends the requests of strangers to any address that somebody registered': [
        'node === undefined || isUnproven(node, nodes)',
        'node === undefined',
      ],
      'answers under a node name with data of another chain': [
        'if (genesisHash !== undefined && genesisHash !== nodes.genesisHash())',
        "if (genesisHash === '')",
      ],
      'accepts a body whose coding two parsers read differently': [
        " || encoding.toLowerCase() !== 'chunked')",
        ')',
      ],
      'lets a GET carry the beginning of a second request': [
        'Number(length ?? 0) !== 0',
        'Number(length ?? 0) < 0',
      ],
      'routes by the second of two Host lines': [
        "if (host !== undefined) throw new RequestError(400, 'The request has more than one Host');",
        '',
      ],
      'accepts more header lines than it reads': [
        'const MAX_HEADER_LINES = 256;',
        'const MAX_HEADER_LINES = 2560;',
      ],
      'serves the admin panel under the name of a node': [
        "if (asked !== 'gateway') throw new RequestError(404",
        "if (asked !== 'gateway' && path === '') throw new RequestError(404",
      ],
      'lets two gateways send one request round and round':
        "  if (isLoop(headers))\n    throw new RequestError(508, 'The request loops, because a gateway is listed as a node');\n",
      'accepts an HTTP/1.0 request whose end is uncertain': [
        "if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)",
        "if (httpVersion === '1.0' && headers['transfer-encoding'] === '')",
      ],
    },
    'proxy/request-target.ts': {
      'passes on an escaped slash that a node may decode': [' || SEPARATOR_ESCAPE.test(path)', ''],
      'passes on a path that leaves the API by dots': [' || DOT_SEGMENT.test(path)', ''],
      'reads a label with leading zeros as another address': [
        "if (!octets.every(isCanonicalOctet) || port > MAX_PORT) throw notServed();\n  return { ip: octets.join('.'), port };",
        "if (port > MAX_PORT) throw notServed();\n  return { ip: octets.map(Number).join('.'), port };",
      ],
      'serves any host name, which lets a page of another site read it by DNS rebinding': [
        "if (host === literal(localAddress)) return 'gateway';\n  throw notServed();",
        "if (host === literal(localAddress) || port !== undefined) return 'gateway';\n  throw notServed();",
      ],
      'passes on control characters': [' || CONTROL_ESCAPE.test(part)', ''],
    },
    'proxy/request-headers.ts': {
      'refuses a request because another proxy has a similar name': [
        '=== PSEUDONYM',
        "?.startsWith('zbc-gateway')",
      ],
      'lets two gateways send one request to each other for ever': [
        'headers.via === undefined ? VIA : viaAfter(headers.via)',
        'VIA',
      ],
      'tells nodes the names of the proxies of a client': ['.filter(entry => OTHER_GATEWAY.test(entry))', ''],
      "sends a client's admin key and cookies to the nodes": [
        "const READ_HEADERS = ['accept',",
        "const READ_HEADERS = ['authorization', 'cookie', 'accept',",
      ],
    },
    'upstream/response-headers.ts': {
      'lets a node set cookies on the origin of the wallet': [
        "'last-modified', ",
        "'last-modified', 'set-cookie', ",
      ],
      'lets a node silence its clients for years': [
        'Math.min(Number(value), MAX_RETRY_SECONDS)',
        'Number(value)',
      ],
      'passes on a header that its node meant for one connection':
        'for (const name of namesIn(connection)) delete passed[name];',
      'passes on a coded body as if it were plain':
        "      if (value.toLowerCase() !== 'chunked') throw malformed();\n",
    },
    'upstream/response-memory.ts': {
      'cuts off the responses of many clients for one that takes the memory': [
        'each.held > largest.held',
        'each.held < largest.held',
      ],
      'completes none of many long responses': [
        ' || (each.held === largest.held && !largest.isReceived)',
        '',
      ],
      'loses memory with each client that leaves before its response': '    if (client.destroyed) return;\n',
      'loses memory with each response': "    client.on('close', () => this.release(holder));\n",
    },
    'upstream/node-request.ts': {
      'reports a broken node when a record has not changed': [
        'this.#status === NOT_MODIFIED && error',
        'this.#status < 0 && error',
        'gateway/proxy/passing',
      ],
      'takes memory without end, because nodes send faster than clients read': [
        'if (this.#received > this.held) this.#limits.memory.take(this, this.#received - this.held);',
        '',
      ],
      'begins more long responses than it can hold':
        '      else this.#limits.memory.take(this, contentLength);\n',
      'joins the parts of a response wrongly': ['piece.copy(this.#body, before);', 'piece.copy(this.#body);'],
      'passes on the memory of the process after a response': [
        'this.#body.subarray(0, this.#received)',
        'this.#body',
      ],
    },
    'upstream/cancellation.ts': {
      'ends only one of several requests': ['        others();\n', ''],
      'waits for a request that began after the end': ['      running();\n    } else if', '    } else if'],
    },
    'upstream/node-connections.ts': {
      'leaves a payment to a silent node open after a stop': [
        'const fresh = [...this.#fresh].map(client => client.destroy());',
        'const fresh: Promise<void>[] = [];',
        'gateway/upstream/node-connections',
      ],
      'keeps its connections to an address that a node has left':
        '    closeAfterUse(pools.reads);\n    pools.reads = new Map();\n',
    },
    'http/http-server.ts': {
      'answers what follows a refused request as if it were another request': [
        'if (socket.writable) handle(request, response);\n      });',
        'handle(request, response);\n      });',
      ],
      'lets one connection queue requests without end': ['queue.length === MAX_PIPELINED || ', ''],
    },
    'http/cross-origin.ts': {
      'lets every page of the web read through the gateway': [
        'origin !== undefined && origins.includes(origin)',
        'origin !== undefined',
      ],
      'lets other pages use routes that are not shared': [
        'isShared(request) && origin !== undefined',
        'request.raw && origin !== undefined',
      ],
      'lets a cache give the answer for one page to another':
        'if (isShared(request)) addOriginToVary(reply);',
      'lets other pages send the admin key': [
        "'content-type, if-none-match",
        "'authorization, content-type, if-none-match",
      ],
    },
    'monitoring/metrics.ts': {
      'lets silent connections keep a scraper out': [
        'connections.values().next().value?.destroy();',
        '[...connections].at(-1)?.destroy();',
        'gateway/monitoring/metrics',
      ],
    },
    'gateway.ts': {
      'does not compare a renewed certificate with the present one': [
        'checkRenewal(renewed, certificate);',
        '',
        'gateway/certificate',
      ],
    },
    'limits/client.ts': {
      'gives a client of IPv6 a limit for each of its addresses': [
        'const PREFIX_BITS = 64;',
        'const PREFIX_BITS = 128;',
      ],
      'lets any client choose the address under which it is limited': [
        ' || !isIn(this.#networks, address)) break;',
        ') break;',
      ],
      'trusts the first hop, which the client wrote': [
        'forwardedFor(request).reverse()',
        'forwardedFor(request)',
      ],
      'gives each connection behind a proxy its own limit': ["hop.replace(WITH_PORT, '$1$2')", 'hop'],
      'limits all clients of one proxy as one': [
        'this.#networks.length === 0 ? undefined : parseAddress(text)',
        'this.#networks.length > 0 ? undefined : parseAddress(text)',
      ],
    },
    'limits/client-windows.ts': {
      'never resets a limit': ['nowMs < known.endsAtMs', 'nowMs > 0'],
      'allows one request more than the limit': [
        'window.count > this.#maximum',
        'window.count > this.#maximum + 1',
      ],
    },
    'limits/rate-limits.ts': {
      'takes the gateway out for everybody when a client shares the address of the load balancer': [
        'routeOptions.config.isUnlimited === true &&',
        'routeOptions.config.isUnlimited === undefined && routeOptions.url === undefined &&',
        'gateway/routes/status',
      ],
      'does not count requests for a foreign host whose path is that of a health check': [
        ' && !refusal;',
        ';',
        'gateway/routes/status',
      ],
      'lets a stranger guess the admin key without end': [
        "if (count.isExceeded) throw refusalOf(reply, count, 'invalid admin keys');",
        '',
      ],
      'counts no broadcast': ["method === 'POST' ? writes", "method === 'PUT' ? writes"],
    },
    'nodes/admitted-nodes.ts': {
      'keeps sending requests to a node that an administrator removed': ['!removed.has(key) && ', ''],
      'lets the registry bring back a named node that an administrator removed': [
        '[...own, ...changes.removed]',
        '[...own]',
        'gateway/nodes/names',
      ],
      "lets a stranger's entry in the registry replace a node of the operator": [
        ' && !admitted.has(key)',
        '',
      ],
    },
    'nodes/chain-agreement.ts': {
      'lets strangers vote which chain is routed': [
        "reports.filter(({ source }) => source !== 'registry')",
        'reports.filter(() => true)',
      ],
    },
    'nodes/node-directory.ts': {
      'asks a node before its blocks were compared': [
        "const isCompared = node.isCompared || node.source === 'registry';",
        'const isCompared = true;',
        'gateway/nodes/forks',
      ],
      'admits strangers in private mode': ["this.#parts.config.mode === 'private' || ", ''],
      'stops only seconds after it was told to, because a node does not answer for its block': [
        'for (const cancellation of this.#running.keys()) cancellation.cancel();',
        'for (const cancellation of [...this.#running.keys()].slice(1)) cancellation.cancel();',
        'gateway/nodes/forks',
      ],
    },
    'nodes/known-node.ts': {
      'routes to a node of another chain': [
        "  if (health.genesisHash !== genesisHash) return ['other-chain', 'is on another chain'];\n",
        '',
      ],
      'reads old balances from a node that is far behind': ["if (standing === 'out')", 'if (behind < 0n)'],
      'shows two balances in turn from nodes of two forks': [
        'if (fork !== undefined) {',
        'if (fork !== undefined && behind < 0n) {',
        'gateway/nodes/forks',
      ],
      'asks a node last for ever after one bad hour': [
        'if (!this.isPoor) this.poorUntilMs = 0;',
        '',
        'gateway/nodes/known-node',
      ],
    },
    'nodes/lag.ts': {
      'makes every honest node late when one node claims a height': [
        "if (source === 'registry' || fork !== undefined) continue;",
        'if (fork !== undefined) continue;',
      ],
      'makes the nodes of a fork late because of the height of another fork': [
        ' || fork !== undefined) continue;',
        ') continue;',
        'gateway/nodes/forks',
      ],
    },
    'nodes/resolve.ts': {
      'keeps sending requests to an address that a node has left': [
        'if (now !== previous) {',
        "if (previous === '') {",
      ],
      'takes every node out while the name server is down': ['?? addresses;', '?? [];'],
    },
    'nodes/forks.ts': {
      'follows another fork while the nodes of its own give no hash': [
        'if (!group.some(({ fork }, at) => fork === undefined && hashes[at] !== undefined)) continue;',
        '',
      ],
      'follows the fork of one node against that of two others': ['other - one)[0]', 'one - other)[0]'],
      'changes to another fork when one node fails': [
        '[...deciding.filter(({ fork }) => !fork), ...deciding.filter(({ fork }) => fork)]',
        'deciding',
      ],
      'asks a node of another fork as soon as it gives no hash': [
        'if (hashes[at] === undefined || found',
        'if (hashes[at] === undefined) found.set(node, undefined);\n      if (hashes[at] === undefined || found',
      ],
      'lets strangers decide which fork is followed': ["source !== 'registry'", 'source !== undefined'],
      'does not compare nodes that lag': ['[inStep, answering]', '[inStep]'],
      'takes a node out that reports no hash': ['if (hashes[at] === undefined || found', 'if (found'],
    },
    'nodes/registry.ts': {
      "connects to the metadata service of the operator's cloud": ["  '169.254.0.0/16',\n", ''],
      "connects to the operator's private network": [
        "(allowPrivateNodes || range === 'unicast')",
        "(allowPrivateNodes || range === 'unicast' || range === 'private')",
      ],
      'sends requests to mail servers that somebody registered': [
        'port < FIRST_FREE_PORT && ',
        'port < 1 && ',
      ],
    },
    'routes/admin.ts': {
      'accepts any admin key': [
        'timingSafeEqual(digest(key), expected)',
        'timingSafeEqual(digest(key), digest(key))',
      ],
      'locks the operator out while somebody guesses keys': [
        'if (key !== undefined && timingSafeEqual(digest(key), expected)) return;\n    if (key !== undefined) request.server.countAdminFailure?.(request, reply);',
        'if (key !== undefined) request.server.countAdminFailure?.(request, reply);\n    if (key !== undefined && timingSafeEqual(digest(key), expected)) return;',
      ],
      'gives a stranger the state of the admin page': [
        "app.get('/admin/state', { onRequest, schema: STATE_SCHEMA }, ",
        "app.get('/admin/state', { schema: STATE_SCHEMA }, ",
      ],
    },
    'routes/allowlist.ts': {
      'lets a stranger admit nodes': [
        'const add = { onRequest, schema: ADD_SCHEMA };',
        'const add = { schema: ADD_SCHEMA };',
      ],
      'lets a stranger remove nodes': [
        'const remove = { onRequest, schema: REMOVE_SCHEMA };',
        'const remove = { schema: REMOVE_SCHEMA };',
        'gateway/hostile/hostile',
      ],
      'lets a stranger make the gateway check its nodes': [
        "'/gateway/allowlist/refresh', { onRequest, schema",
        "'/gateway/allowlist/refresh', { schema",
      ],
      'forgets the removal of a node whose address changes': [
        'return addressOf(known ?? address);',
        'return address;',
        'gateway/nodes/names',
      ],
      'admits a multicast address': ['if (NOT_UNICAST.has(parsed.range()))', "if (ip === '')"],
      'sends broadcasts to an archival node that was added as a full node': [
        'role !== undefined && role !== listedRole',
        'role !== undefined && role === listedRole',
      ],
    },
    'openapi/records.ts': {
      'admits a node by the low bits of its port': ['maximum: MAX_PORT', 'maximum: 99_999_999'],
    },
    'allowlist/allowlist.ts': {
      'loses one of two changes that are made at the same time': [
        'const made = this.#last.then(async () => {',
        'const made = Promise.resolve().then(async () => {',
      ],
      'puts a file in the place of a link to the kept one': [
        'place = await realpath(path);',
        'await realpath(path);',
      ],
      'lets the state file grow until nothing can be written': [
        'added.length + removed.length <= MAX_CHANGES',
        'added.length + removed.length <= 9_999_999',
      ],
    },
    'files/published-file.ts': {
      'publishes files outside its directory through a link': [
        'constants.O_RDONLY | constants.O_NOFOLLOW',
        'constants.O_RDONLY',
      ],
      'sends the old bytes of a file that was replaced': [
        'versionOf(status) === known.version',
        'Number(status.size) === known.size',
      ],
      'sends the old bytes of a file whose change kept its time and size': [
        '[ino, size, ctimeNs]',
        '[ino, size, 0n]',
      ],
      'holds a file that may change without another time of change': ['> SETTLED_MS', '> -SETTLED_MS'],
      'fills the memory with small files': ['held.size > MAX_HELD_FILES', 'held.size > 9_999_999'],
      'publishes hidden files': ['/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/', '/^[A-Za-z0-9._-]{1,255}$/'],
    },
    'files/send-file.ts': {
      'sends a file that the client has seen change': ['known.includes(etag) ||', 'known.length > 0 ||'],
      'sends a file that is newer than the client accepts': [
        'Math.floor(modifiedMs / 1000) * 1000 <= latestMs',
        'modifiedMs > 0',
      ],
      'runs a published page in the origin of the wallet': [
        '`attachment; filename="${name}"`',
        '`inline; filename="${name}"`',
      ],
      'joins parts of two versions of a download': [
        'condition === undefined || condition === etag',
        "condition !== ''",
      ],
      'ends a truncated download as if it were whole': [
        'if (stream.bytesRead < length) reply.raw.destroy();',
        '',
      ],
    },
    'config/load.ts': {
      'quotes a secret of a configuration that is not JSON': [
        '${faultOf(text, message)}${place}`',
        '${message}${place}`',
      ],
    },
    'routes/verify.ts': {
      'calls a hash published because its first digits are': [
        'indexOf(answer).get(sha256)',
        '[...indexOf(answer)].find(([hash]) => hash.slice(0, 8) === sha256.slice(0, 8))?.[1]',
      ],
      'does not find a hash that the chain lists in capitals': ['file.sha256.toLowerCase();', 'file.sha256;'],
      'examines the whole list of releases for each question': ['  indexes.set(answer, index);\n', ''],
      'says that a published file is unpublished while the nodes do not know': [
        'error instanceof RequestError && error.statusCode === 404',
        'error instanceof RequestError && error.statusCode === 1',
      ],
    },
    'pages/page.ts': {
      'lets another site frame the admin panel': ['      "frame-ancestors \'none\'",\n', ''],
    },
    'config/parse.ts': {
      'asks one node of this machine twice': [".replace(/^localhost:/, '127.0.0.1:')", ''],
    },
    'base/validation.ts': {
      'prints a key that is pasted as a field': '  if (name.length >= MIN_KEY) return \'"…"\';\n',
    },
    'http/tls.ts': {
      'never renews a certificate again after a pipe in its place': [
        ' | constants.O_NONBLOCK',
        '',
        'gateway/certificate',
      ],
      'takes an empty key for a key': [
        '() => createPrivateKey(key)',
        '() => createSecureContext({ key })',
        'gateway/http/tls',
      ],
      'accepts a key that does not belong to the certificate':
        "  tryOut('tls.key_file: the key does not belong to the certificate', () => createSecureContext(both));\n",
      'replaces a valid certificate with an expired one': [
        '!isExpired(next) || (present',
        'isExpired(next) || (present',
      ],
    },
    'http/connections.ts': {
      'lets one client take every connection': ['count >= limits.perClient', 'count > 99_999'],
    },
    'app.ts': {
      'does not tell a client when to try again': [
        "reply.statusCode === 503 && !reply.hasHeader('retry-after')",
        "reply.statusCode === 503 && reply.hasHeader('retry-after')",
        'gateway/proxy/reads',
      ],
    },
  },
};

/** Faults of the gateway as a process. */
export const gatewayProcess: Module = {
  name: 'gateway process',
  guards: 'docs/gateway/running.md#restart',
  directory: 'gateway/src',
  elsewhere: 'make test-node: the test starts processes; .ci/run runs it.',
  tests: ['cli/commands/gateway'],
  faults: {
    'check.ts': {
      'says that a file is valid whose certificate is missing': [
        'const certificate = await loadCertificate(config);',
        'const certificate = await loadCertificate(config).catch(() => undefined);',
        'cli/commands/gateway',
      ],
    },
    'gateway.ts': {
      'does not use the socket that systemd holds': [
        'inheritedSocket() ?? { host: listenHost, port: listenPort }',
        '{ host: listenHost, port: listenPort }',
        'cli/commands/gateway',
      ],
      'breaks running requests at a restart': [
        'setTimeout(() => server.closeAllConnections(), GRACE_MS)',
        'setTimeout(() => server.closeAllConnections(), 0)',
      ],
    },
  },
};
