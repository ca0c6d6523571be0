import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';

let ajv: Ajv | undefined;

/** Fastify's default validator, without removing properties or coercing types. */
function loadAjv(): Ajv {
  const { Ajv: Validator } = createRequire(import.meta.url)('ajv') as { Ajv: new (options: object) => Ajv };
  return new Validator({ useDefaults: true, removeAdditional: false, coerceTypes: false });
}

/** Compiles a schema on first use: compiling all of them would double the start-up time. */
export const compileLazily: FastifySchemaCompiler<FastifySchema> = ({ schema }) => {
  let validate: ValidateFunction | undefined;
  return (document: unknown) => {
    ajv ??= loadAjv();
    validate ??= ajv.compile(schema);
    return validate(document) ? true : { error: validate.errors as ErrorObject[] as never };
  };
};
