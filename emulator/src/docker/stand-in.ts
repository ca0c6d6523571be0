import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Containers } from './containers.js';
import { createDockerApi } from './docker-api.js';

/** A running Docker stand-in. */
export interface DockerStandIn {
  /** The value for DOCKER_HOST: `unix://…`, a socket that only this user can access. */
  readonly dockerHost: string;
  /** Stops every emulator and removes the socket. */
  close(): Promise<void>;
}

/**
 * Replaces Docker for test tools that start Speculos in a container, such as Zemu: each container is an
 * emulator in this process, regardless of its image. Not for Windows, which has no Unix sockets.
 */
export async function startDockerStandIn(): Promise<DockerStandIn> {
  const directory = await mkdtemp(join(tmpdir(), 'zbc-signer-docker-'));
  const path = join(directory, 'docker.sock');
  const containers = new Containers();
  const api = createDockerApi(containers);
  const close = async () => {
    await containers.removeAll();
    await api.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await api.listen({ path });
  } catch (error) {
    await close();
    throw error;
  }
  return { dockerHost: `unix://${path}`, close };
}
