import type { FastifyInstance } from 'fastify';
import { RequestError } from '../base/errors.js';
import { openPublished } from '../files/published-file.js';
import { sendFile } from '../files/send-file.js';

interface NamePath {
  Params: { name: string };
}

/** `GET /dl/<name>` sends a file of `downloads_dir`. */
export function addDownloadRoute(app: FastifyInstance, directory: string): void {
  app.route<NamePath>({
    method: ['GET', 'HEAD'],
    url: '/dl/:name',
    handler: async (request, reply) => {
      const file = await openPublished(directory, request.params.name);
      if (file === undefined) throw new RequestError(404, 'No such file');
      return sendFile(request, reply, file);
    },
  });
}
