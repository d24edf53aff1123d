import { type Kysely, sql } from 'kysely';
import type { TurnImage } from '#assistant/models/port.ts';
import type { Attachment } from '#contract/chat.ts';
import { AppError } from '#contract/errors.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { lockUser } from '../identity/user-store.ts';
import type { ReadAttachment } from './read-attachment.ts';
import { type ChatOwner, findReadableThread } from './threads.ts';

/** A text or an image with its content. */
export type LoadedAttachment = Attachment & { text: string | null; data: Buffer | null };

const UNSENT_LIFETIME_MS = 24 * 3_600_000;
/** Of one user, in all projects. */
const MAX_UNSENT = 40;
/** Characters of all attached texts in a prompt. */
const MAX_PROMPT_TEXT = 60_000;
/** Earlier files that a follow-up question can refer to. */
const MAX_EARLIER = 4;

const META = ['id', 'kind', 'name', 'media_type', 'size', 'width', 'height'] as const;

/** Stores a file for a question to come. Files of the user that were never sent are deleted after a day. */
export async function saveAttachment(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { projectId, userId }: ChatOwner,
  file: ReadAttachment,
): Promise<Attachment> {
  const id = newId();
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const unsent = trx
      .deleteFrom('chat_attachments')
      .where('user_id', '=', userId)
      .where('message_id', 'is', null);
    await unsent.where('created_at', '<', new Date(now().getTime() - UNSENT_LIFETIME_MS)).execute();
    const { count } = await trx
      .selectFrom('chat_attachments')
      .select((select) => select.fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .where('message_id', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_UNSENT) {
      throw new AppError('too_large', 'too_many_attachments', {
        params: { limit: MAX_UNSENT },
        reason: 'too_many',
      });
    }
    await trx
      .insertInto('chat_attachments')
      .values({ ...file, project_id: projectId, id, user_id: userId, message_id: null, created_at: now() })
      .execute();
  });
  const { text: _, data: __, ...meta } = file;
  return { id, ...meta };
}

/** Finds a file of one's own, or of a chat that a member shares. Throws `not_found`. */
export async function findAttachment(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  id: string,
): Promise<LoadedAttachment> {
  const row = await db
    .selectFrom('chat_attachments as a')
    .leftJoin('chat_messages as m', (join) =>
      join.onRef('m.project_id', '=', 'a.project_id').onRef('m.id', '=', 'a.message_id'),
    )
    .select(META.map((name) => `a.${name}` as const))
    .select(['a.text', 'a.data', 'a.user_id', 'm.thread_id'])
    .where('a.project_id', '=', projectId)
    .where('a.id', '=', id)
    .executeTakeFirst();
  const { user_id, thread_id, ...file } = row ?? {};
  const isOwn = user_id === userId;
  if (!row || (!isOwn && !thread_id)) throw new AppError('not_found', 'attachment_not_found');
  if (!isOwn) await findReadableThread(db, { projectId, userId }, thread_id!);
  return file as LoadedAttachment;
}

/** Deletes a file that was not sent yet. Throws `not_found`. */
export async function deleteUnsent(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('chat_attachments')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('message_id', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('not_found', 'attachment_not_found');
}

/** Loads the caller's files for a question, in the given order. Throws `not_found` when one is missing. */
export async function loadAttachments(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  ids: readonly string[],
): Promise<LoadedAttachment[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('chat_attachments')
    .select([...META, 'text', 'data'])
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('id', 'in', [...ids])
    .execute();
  return [...new Set(ids)].map((id) => {
    const row = rows.find((each) => each.id === id);
    if (!row) throw new AppError('not_found', 'attachment_not_found');
    return row;
  });
}

/** Files of messages, by message, without their content. */
export async function listAttachments(
  db: Kysely<Database>,
  projectId: string,
  messageIds: readonly string[],
): Promise<Map<string, Attachment[]>> {
  const byMessage = new Map<string, Attachment[]>();
  if (messageIds.length === 0) return byMessage;
  const rows = await db
    .selectFrom('chat_attachments')
    .select([...META, 'message_id'])
    .where('project_id', '=', projectId)
    .where('message_id', 'in', [...messageIds])
    .orderBy('id')
    .execute();
  for (const { message_id, ...file } of rows) {
    byMessage.set(message_id!, [...(byMessage.get(message_id!) ?? []), file]);
  }
  return byMessage;
}

/** Binds files to the question that was sent with them; those of another question, which is edited, are copied. */
export async function attachToMessage(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  { messageId, ids }: { messageId: string; ids: readonly string[] },
): Promise<void> {
  for (const id of ids) {
    const { numUpdatedRows } = await db
      .updateTable('chat_attachments')
      .set({ message_id: messageId })
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .where('message_id', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) continue;
    await sql`
      insert into chat_attachments
        (project_id, id, user_id, message_id, kind, name, media_type, size, width, height, text, data, created_at)
      select project_id, ${newId()}, user_id, ${messageId}, kind, name, media_type, size, width, height, text, data,
             created_at
        from chat_attachments
       where project_id = ${projectId} and user_id = ${userId} and id = ${id}`.execute(db);
  }
}

/** Texts of the files of earlier messages, newest first, which a follow-up question may be about. */
export async function loadEarlierTexts(
  db: Kysely<Database>,
  projectId: string,
  messageIds: readonly string[],
): Promise<LoadedAttachment[]> {
  if (messageIds.length === 0) return [];
  return await db
    .selectFrom('chat_attachments')
    .select([...META, 'text'])
    .select(sql<null>`null`.as('data'))
    .where('project_id', '=', projectId)
    .where('message_id', 'in', [...messageIds])
    .where('kind', '<>', 'image')
    .orderBy('id', 'desc')
    .limit(MAX_EARLIER)
    .execute();
}

/** Formats files for a prompt within a budget: the whole text, or its beginning and its end. */
export function toPromptAttachments(
  files: readonly LoadedAttachment[],
  earlier: readonly LoadedAttachment[],
): { text: string; images: TurnImage[] } {
  const texts = [...files, ...earlier].filter(({ text }) => text !== null);
  let left = MAX_PROMPT_TEXT;
  const parts = texts.map(({ name, kind, text }, at) => {
    const share = Math.floor(left / (texts.length - at));
    const cut = cutMiddle(text!, share);
    left -= cut.length;
    return `${kind} ${JSON.stringify(name)}${at < files.length ? '' : ' (of an earlier message)'}:\n${cut}`;
  });
  const images = files.flatMap(({ media_type, data }) =>
    data ? [{ mediaType: media_type, data: data.toString('base64') }] : [],
  );
  return { text: parts.join('\n\n'), images };
}

function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.max(0, Math.floor(max / 2) - 40);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}
