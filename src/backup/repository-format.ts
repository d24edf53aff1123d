import { z } from 'zod';
import { isRefName } from '#git/run.ts';

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const refName = z
  .string()
  .max(1000)
  .refine((name) => name.startsWith('refs/') && isRefName(name));

/** Description of a repository in a backup. */
export const storedRepository = z.object({
  object_format: z.enum(['sha1', 'sha256']),
  /** Ref that HEAD refers to. */
  head: refName.nullable(),
  /** Objects and the names of their refs. */
  refs: z.array(z.tuple([z.string().regex(OID), refName])).max(2_000_000),
});
export type StoredRepository = z.infer<typeof storedRepository>;

const PACK_FILE = /^pack-[0-9a-f]{40}(?:[0-9a-f]{24})?\.(?:pack|idx)$/;

/** True for the name of a pack or of its index. */
export function isPackFile(name: string): boolean {
  return PACK_FILE.test(name);
}
