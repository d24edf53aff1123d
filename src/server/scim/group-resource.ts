import { z } from 'zod';
import type { PatchOperation } from './patch.ts';
import { ScimError } from './scim-error.ts';
import { GROUP_SCHEMA } from './service-description.ts';

const MAX_MEMBERS = 5000;

const displayName = z.string().trim().min(1).max(200);
const externalId = z.string().trim().min(1).max(200);
const member = z.object({ value: z.string().min(1).max(64) });
const members = z
  .array(member)
  .max(MAX_MEMBERS)
  .transform((list) => [...new Set(list.map(({ value }) => value))]);

const groupBody = z.object({
  displayName,
  externalId: externalId.nullish(),
  members: members.nullish(),
});

/** The attributes of a group that a directory sets. */
export interface ScimGroup {
  displayName: string;
  externalId: string | null;
  /** Ids of users. */
  members: string[];
}

/** Change of a group; null leaves a part as it is. */
export interface ScimGroupChange {
  displayName: string | null;
  externalId: string | null | undefined;
  /** Replaces all members that a directory has added. */
  replaced: string[] | null;
  added: string[];
  removed: string[];
}

/** Parses the body of POST and PUT. */
export function parseGroup(body: unknown): ScimGroup {
  const parsed = groupBody.safeParse(body);
  if (!parsed.success) throw invalidValue(parsed.error.issues[0]?.path.join('.') || 'body');
  const { data } = parsed;
  return {
    displayName: data.displayName,
    externalId: data.externalId ?? null,
    members: data.members ?? [],
  };
}

/** Collects the operations of a PATCH. Attributes that are not stored are ignored. */
export function parseGroupChange(operations: PatchOperation[]): ScimGroupChange {
  const change: ScimGroupChange = {
    displayName: null,
    externalId: undefined,
    replaced: null,
    added: [],
    removed: [],
  };
  for (const operation of operations) applyOperation(change, operation);
  return change;
}

function applyOperation(change: ScimGroupChange, { op, attribute, filter, value }: PatchOperation): void {
  const read = <T>(schema: z.ZodType<T>): T => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw invalidValue(attribute);
    return parsed.data;
  };
  if (attribute === 'id') throw new ScimError(400, 'id is read-only.', 'mutability');
  if (attribute === 'displayname' && op !== 'remove') change.displayName = read(displayName);
  else if (attribute === 'displayname')
    throw new ScimError(400, 'displayName cannot be removed.', 'mutability');
  else if (attribute === 'externalid') change.externalId = op === 'remove' ? null : read(externalId);
  else if (attribute === 'members') {
    if (filter.length > 0) {
      const [term] = filter;
      const isValue = filter.length === 1 && term?.attribute === 'value' && typeof term.value === 'string';
      if (!isValue || op !== 'remove')
        throw new ScimError(400, 'Members are selected by value, to remove them.', 'invalidPath');
      removeMember(change, term.value as string);
    } else if (op === 'replace') {
      Object.assign(change, { replaced: read(members), added: [], removed: [] });
    } else if (op === 'add') {
      for (const id of read(members)) addMember(change, id);
    } else if (value == null) {
      Object.assign(change, { replaced: [], added: [], removed: [] });
    } else for (const id of read(members)) removeMember(change, id);
  }
}

function addMember(change: ScimGroupChange, id: string): void {
  change.removed = change.removed.filter((other) => other !== id);
  change.added.push(id);
}

function removeMember(change: ScimGroupChange, id: string): void {
  change.added = change.added.filter((other) => other !== id);
  change.removed.push(id);
}

function invalidValue(attribute: string): ScimError {
  return new ScimError(400, `${attribute} is missing or invalid.`, 'invalidValue');
}

/** A row of `teams` as its resource needs it. */
export interface ScimGroupRow {
  id: string;
  name: string;
  external_id: string | null;
  created_at: Date;
}

/** Formats a group (RFC 7643, section 4.2); `members` is null where they are excluded. */
export function presentGroup(
  row: ScimGroupRow,
  members: { value: string; display: string }[] | null,
  baseUrl: string,
) {
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.name,
    ...(members && { members }),
    meta: {
      resourceType: 'Group',
      created: row.created_at.toISOString(),
      location: `${baseUrl}/Groups/${row.id}`,
    },
  };
}
