import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../testkit/network/free-port.js';
import type { Server } from './processors.js';

/** The path in Debian. Its directory may be missing from PATH. */
export const NGINX = '/usr/sbin/nginx';

interface NginxOptions {
  /** The directory for nginx's files, which is created. */
  directory: string;
  /** Words before the command, such as `taskset -c 0`. */
  before: readonly string[];
  /** Additional content of the `http` block. */
  http: (listen: string) => string;
}

/** Configures nginx to answer a path with exactly this body, from memory and without a log. */
export const answering = (path: string, body: string) => (listen: string) =>
  `access_log off;
  default_type "application/json; charset=utf-8";
  server {
    listen ${listen};
    location = ${path} { return 200 '${body}'; }
  }`;

/**
 * Configures nginx to forward everything to one upstream over keep-alive connections, and to log each request
 * to `access.log`, as Debian's configuration does.
 */
export const proxying = (upstream: string) => (listen: string) =>
  `access_log access.log;
  upstream nodes { server ${new URL(upstream).host}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen ${listen};
    location / { proxy_pass http://nodes; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }`;

/** Starts nginx with one worker process; resolves when it answers. SIGTERM ends both of its processes. */
export async function startNginx({ directory, before, http }: NginxOptions): Promise<Server> {
  const port = await freePort();
  mkdirSync(directory);
  const config = `daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 1024; }
http {
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  keepalive_requests 1000000000;
  ${http(`127.0.0.1:${port}`)}
}`;
  writeFileSync(join(directory, 'nginx.conf'), config);
  const words = [...before, NGINX, '-p', directory, '-c', 'nginx.conf', '-e', 'error.log'];
  const child = spawn(words[0]!, words.slice(1), { stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error('nginx ended before it was ready');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return { child, url, port };
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
