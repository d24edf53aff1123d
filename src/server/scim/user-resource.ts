import { z } from 'zod';
import { LANGUAGES, type Language } from '#locales/languages.ts';
import type { PatchOperation } from './patch.ts';
import { ScimError } from './scim-error.ts';
import { USER_SCHEMA } from './service-description.ts';

/** The attributes of a user that a directory sets. */
export interface ScimUser {
  userName: string;
  externalId: string | null;
  fullName: string | null;
  email: string;
  active: boolean;
  /** Language of emails and of the interface; null to leave it. */
  language: Language | null;
}

const text = z.string().trim().max(200);
const userName = z.string().trim().min(1).max(254);
/** Some directories send booleans as text. */
const boolean = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(true|false)$/i)
    .transform((value) => value.toLowerCase() === 'true'),
]);
const emailValue = z.email().max(254);
const emails = z
  .array(z.object({ value: emailValue, type: text.nullish(), primary: boolean.nullish() }))
  .min(1)
  .max(20);
const name = z.object({
  formatted: text.nullish(),
  givenName: text.nullish(),
  familyName: text.nullish(),
});

const userBody = z.object({
  userName,
  externalId: text.min(1).nullish(),
  name: name.nullish(),
  displayName: text.nullish(),
  emails: emails.nullish(),
  active: boolean.nullish(),
  preferredLanguage: text.nullish(),
});
const ATTRIBUTES = Object.keys(userBody.shape);

/** Parses the body of POST and PUT; a user without emails has their userName, if it is one. */
export function parseUser(body: unknown): ScimUser {
  const parsed = userBody.safeParse(canonicalKeys(body));
  if (!parsed.success) throw invalidValue(parsed.error.issues[0]?.path.join('.') || 'body');
  const { data } = parsed;
  const email = data.emails ? primaryEmail(data.emails) : emailValue.safeParse(data.userName).data;
  if (email === undefined) throw invalidValue('emails');
  return {
    userName: data.userName,
    externalId: data.externalId ?? null,
    fullName: (data.name && formatName(data.name)) || data.displayName || null,
    email,
    active: data.active ?? true,
    language: parseLanguage(data.preferredLanguage),
  };
}

/** Attribute names are case-insensitive (RFC 7643, section 2.1). */
function canonicalKeys(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      ATTRIBUTES.find((known) => known.toLowerCase() === key.toLowerCase()) ?? key,
      value,
    ]),
  );
}

/** Applies the operations of a PATCH. Attributes that are not stored are ignored. */
export function patchUser(user: ScimUser, operations: PatchOperation[]): ScimUser {
  return operations.reduce(applyOperation, user);
}

const READ_ONLY = new Set(['id', 'groups', 'meta', 'schemas']);

function applyOperation(user: ScimUser, { op, attribute, value }: PatchOperation): ScimUser {
  if (READ_ONLY.has(attribute)) throw new ScimError(400, `${attribute} is read-only.`, 'mutability');
  if (op === 'remove') return removeAttribute(user, attribute);
  const read = <T>(schema: z.ZodType<T>): T => {
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw invalidValue(attribute);
    return parsed.data;
  };
  const [given = '', ...family] = (user.fullName ?? '').split(' ');
  switch (attribute) {
    case 'username':
      return { ...user, userName: read(userName) };
    case 'externalid':
      return { ...user, externalId: read(text.min(1)) };
    case 'displayname':
    case 'name.formatted':
      return { ...user, fullName: read(text) || null };
    case 'name':
      return { ...user, fullName: formatName(read(name)) };
    case 'name.givenname':
      return { ...user, fullName: formatName({ givenName: read(text), familyName: family.join(' ') }) };
    case 'name.familyname':
      return { ...user, fullName: formatName({ givenName: given, familyName: read(text) }) };
    case 'emails':
      return { ...user, email: primaryEmail(read(emails)) };
    case 'emails.value':
      return { ...user, email: read(emailValue) };
    case 'active':
      return { ...user, active: read(boolean) };
    case 'preferredlanguage':
      return { ...user, language: parseLanguage(read(text)) };
    default:
      return user;
  }
}

function removeAttribute(user: ScimUser, attribute: string): ScimUser {
  if (attribute === 'externalid') return { ...user, externalId: null };
  if (attribute === 'displayname' || attribute.startsWith('name')) return { ...user, fullName: null };
  if (['username', 'emails', 'emails.value', 'active'].includes(attribute))
    throw new ScimError(400, `${attribute} cannot be removed.`, 'mutability');
  return user;
}

function primaryEmail(list: z.infer<typeof emails>): string {
  return (list.find(({ primary }) => primary) ?? list.find(({ type }) => type === 'work') ?? list[0]!).value;
}

function formatName({ formatted, givenName, familyName }: z.infer<typeof name>): string | null {
  return formatted || [givenName, familyName].filter(Boolean).join(' ').slice(0, 200) || null;
}

/** `fr-CA` → `fr`; null for a language without texts. */
function parseLanguage(tag: string | null | undefined): Language | null {
  const primary = tag?.split(/[-_]/, 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary) ?? null;
}

function invalidValue(attribute: string): ScimError {
  return new ScimError(400, `${attribute} is missing or invalid.`, 'invalidValue');
}

/** A row of `users` as its resource needs it. */
export interface ScimUserRow {
  id: string;
  username: string;
  email: string;
  full_name: string | null;
  is_active: boolean;
  external_id: string | null;
  scim_user_name: string | null;
  language: Language;
  created_at: Date;
  teams: { value: string; display: string }[];
}

/** Formats a user (RFC 7643, section 4.1). */
export function presentUser(row: ScimUserRow, baseUrl: string) {
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.scim_user_name ?? row.username,
    ...(row.full_name !== null && { name: { formatted: row.full_name } }),
    displayName: row.full_name ?? row.username,
    preferredLanguage: row.language,
    active: row.is_active,
    emails: [{ value: row.email, type: 'work', primary: true }],
    groups: row.teams,
    meta: {
      resourceType: 'User',
      created: row.created_at.toISOString(),
      location: `${baseUrl}/Users/${row.id}`,
    },
  };
}

/** The attributes of a stored user, which a PATCH begins with. */
export function toScimUser(row: ScimUserRow): ScimUser {
  return {
    userName: row.scim_user_name ?? row.username,
    externalId: row.external_id,
    fullName: row.full_name,
    email: row.email,
    active: row.is_active,
    language: row.language,
  };
}
