import { EmulatorError } from '../errors.js';

/** An error of the Docker API with its HTTP status. */
export class DockerError extends EmulatorError {
  override readonly name = 'DockerError';
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super('DOCKER', message);
  }
}
