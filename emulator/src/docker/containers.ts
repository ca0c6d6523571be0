import type { Container } from './container.js';
import { DockerError } from './docker-error.js';

/** Every container, running or not. */
export class Containers {
  readonly #byId = new Map<string, Container>();

  add(container: Container): void {
    if (container.name !== '' && this.#find(container.name)) {
      throw new DockerError(409, `the name "${container.name}" is in use by another container`);
    }
    this.#byId.set(container.id, container);
  }

  /** Containers whose name contains one of the parts; without parts, all of them. */
  list(nameParts: readonly string[]): Container[] {
    const matches = ({ name }: Container) => nameParts.some(part => name.includes(part.replace('/', '')));
    return [...this.#byId.values()].filter(container => nameParts.length === 0 || matches(container));
  }

  /** By id or name. */
  get(key: string): Container {
    const container = this.#byId.get(key) ?? this.#find(key);
    if (!container) throw new DockerError(404, 'no such container');
    return container;
  }

  /** Stops a running container first. */
  async remove(key: string): Promise<void> {
    const container = this.get(key);
    this.#byId.delete(container.id);
    await container.stop();
  }

  async removeAll(): Promise<void> {
    await Promise.all([...this.#byId.keys()].map(id => this.remove(id)));
  }

  #find(name: string): Container | undefined {
    return [...this.#byId.values()].find(container => container.name === name);
  }
}
