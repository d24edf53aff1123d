import type { Kysely } from 'kysely';
import type { ProbeResult } from '#assistant/models/probe.ts';
import type { Database } from '#db/schema.ts';
import { formatMessage } from '#locales/format-message.ts';
import { loadUserLanguage } from '../identity/user-store.ts';

/** The result of a test with its error in the reader's language. */
export async function presentProbe(
  db: Kysely<Database>,
  userId: string,
  { error, ...result }: ProbeResult,
): Promise<Omit<ProbeResult, 'error'> & { error: string | null }> {
  if (error === null) return { ...result, error: null };
  const language = await loadUserLanguage(db, userId);
  return { ...result, error: formatMessage(language, `errors.${error.messageKey}`, error.params) };
}
