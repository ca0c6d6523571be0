import { EmulatorError } from '../errors.js';

/** What the Docker stand-in answers with a status of its own. */
export class DockerError extends EmulatorError {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super('DOCKER', message);
  }
}
