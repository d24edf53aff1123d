import { z } from 'zod';
import { type FilterTerm, parseFilter, stripSchema } from './filter.ts';
import { ScimError } from './scim-error.ts';

const MAX_OPERATIONS = 100;
const MAX_PATH_LENGTH = 500;

const patchBody = z.object({
  // Some directories capitalize the key, some the verb.
  Operations: z
    .array(
      z.object({
        op: z
          .string()
          .transform((op) => op.toLowerCase())
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(MAX_PATH_LENGTH).nullish(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MAX_OPERATIONS),
});

/** An operation on one attribute. */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  /** Lower case, with its sub-attribute: `name.givenname`. */
  attribute: string;
  /** Selects values of a multi-valued attribute. */
  filter: FilterTerm[];
  value: unknown;
}

/** `attribute`, `attribute.sub`, `attribute[filter]` or `attribute[filter].sub`. */
const PATH = /^([A-Za-z$][\w$-]*)(?:\[([^\]]*)\])?(?:\.([A-Za-z$][\w$-]*))?$/;

/** Parses the operations of a PATCH (RFC 7644, section 3.5.2); one without a path becomes one per attribute of its value. */
export function parsePatchOperations(body: unknown): PatchOperation[] {
  const parsed = patchBody.safeParse(body);
  if (!parsed.success) throw new ScimError(400, 'The body is not a valid PatchOp.', 'invalidSyntax');
  return parsed.data.Operations.flatMap(({ op, path, value }) => {
    if (path != null && path !== '') return [{ op, value, ...parsePath(path) }];
    if (op === 'remove') throw new ScimError(400, 'An operation remove needs a path.', 'noTarget');
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ScimError(400, 'An operation without a path needs an object as its value.', 'invalidValue');
    const entries = Object.entries(value);
    if (entries.length > MAX_OPERATIONS)
      throw new ScimError(400, 'The value has too many attributes.', 'tooMany');
    return entries
      .filter(([name]) => name !== 'schemas' && !name.startsWith('urn:'))
      .map(([name, part]) => ({ op, value: part as unknown, ...parsePath(name) }));
  });
}

function parsePath(path: string): Pick<PatchOperation, 'attribute' | 'filter'> {
  const [, name, filter, sub] = PATH.exec(stripSchema(path)) ?? [];
  if (name === undefined) throw new ScimError(400, 'The path is not supported.', 'invalidPath');
  return {
    attribute: [name, sub].filter(Boolean).join('.').toLowerCase(),
    filter: filter === undefined ? [] : parseFilter(filter),
  };
}
