import type { ServerConfig } from '../deps.ts';

/** URL of the server in emails of jobs, which do not know where it listens. */
export function emailOrigin({ publicUrl }: Pick<ServerConfig, 'publicUrl'>): string {
  return publicUrl ?? 'http://localhost';
}
