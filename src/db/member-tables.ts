import type { SearchMatch } from '#contract/search-query.ts';
import type { WatchKind } from '#contract/watches.ts';
import type { DefaultTimestamp, Timestamp } from './columns.ts';

/** Clones of projects on members' computers; they end with the membership. */
export interface CheckoutsTable {
  project_id: string;
  user_id: string;
  /** Folder, or name of the project in an editor of JetBrains. */
  folder: string;
}

/** Watches of members; they end with the membership. */
export interface WatchesTable {
  project_id: string;
  id: string;
  user_id: string;
  kind: WatchKind;
  value: string;
  /** File of a function; empty for other kinds. */
  path: string;
  match: SearchMatch;
  created_at: DefaultTimestamp;
  last_match_at: Timestamp | null;
}
