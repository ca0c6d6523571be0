import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Containers } from './containers.js';
import { createDockerApi } from './docker-api.js';

/** A running stand-in. */
export interface DockerStandIn {
  /** For the environment variable DOCKER_HOST: `unix://…`, a socket that only this user can reach. */
  readonly dockerHost: string;
  /** Stops every emulator and removes the socket. */
  close(): Promise<void>;
}

/**
 * Stands in for Docker towards test tools that start Speculos in a container, such as Zemu: each container that they ask for
 * is an emulator in this process, whatever the image. Not for Windows, which has no such sockets.
 */
export async function startDockerStandIn(): Promise<DockerStandIn> {
  const folder = await mkdtemp(join(tmpdir(), 'zbc-signer-docker-'));
  const path = join(folder, 'docker.sock');
  const containers = new Containers();
  const api = createDockerApi(containers);
  const close = async () => {
    await containers.removeAll();
    await api.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await api.listen({ path });
  } catch (error) {
    await close();
    throw error;
  }
  return { dockerHost: `unix://${path}`, close };
}
