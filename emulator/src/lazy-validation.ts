import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';

let ajv: Ajv | undefined;

/** Fastify's own choice of validator, taking documents as they are: nothing is removed from them or converted. */
function loadAjv(): Ajv {
  const { Ajv: Validator } = createRequire(import.meta.url)('ajv') as { Ajv: new (options: object) => Ajv };
  return new Validator({ useDefaults: true, removeAdditional: false, coerceTypes: false });
}

/** Compiles a schema when a request first needs it: compiling all of them takes as long as the rest of the start. */
export const compileLazily: FastifySchemaCompiler<FastifySchema> = ({ schema }) => {
  let validate: ValidateFunction | undefined;
  return (document: unknown) => {
    ajv ??= loadAjv();
    validate ??= ajv.compile(schema);
    return validate(document) ? true : { error: validate.errors as ErrorObject[] as never };
  };
};
