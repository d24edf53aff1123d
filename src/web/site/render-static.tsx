import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { WALK_RECORDING } from './recorded.ts';

/** Titles that pages set, which React puts first. */
const TITLES = /^(?:<title>[^<]*<\/title>)+/;

/**
 * Renders to HTML without scripts, at the time of the recording. Queries are answered by recorded replies and rendered again until
 * none is new; a query without a recorded reply stays pending.
 */
export async function renderStatic(content: ReactNode): Promise<string> {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const asked = new Set<string>();
  return await atRecordingTime(async () => {
    for (;;) {
      const html = await renderOnce(<QueryClientProvider client={client}>{content}</QueryClientProvider>);
      const queries = client.getQueryCache().getAll();
      const fresh = queries.filter(({ queryHash }) => !asked.has(queryHash));
      if (fresh.length === 0) return html.replace(TITLES, '');
      for (const query of fresh) {
        asked.add(query.queryHash);
        // Without a reply, the query is as before its first call.
        await query.fetch().catch(() => client.getQueryCache().remove(query));
      }
    }
  });
}

async function renderOnce(content: ReactNode): Promise<string> {
  const { prelude } = await prerender(content, {
    // Large parts in place, instead of behind a script that moves them there.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error;
    },
  });
  return await new Response(prelude as ReadableStream).text();
}

/** Runs with the clock of the recording, its replies in place of the network, and no stored settings. */
async function atRecordingTime<T>(run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  const { fetch } = globalThis;
  const time = Date.parse(WALK_RECORDING.recorded_at);
  Object.assign(globalThis, {
    localStorage: { getItem: () => null },
    location: new URL('http://localhost/'),
    fetch: async (path: string) => {
      const reply = WALK_RECORDING.replies[path];
      if (reply === undefined) throw new Error(`${path} is not recorded`);
      return Response.json(reply);
    },
  });
  Date.now = () => time;
  try {
    return await run();
  } finally {
    Date.now = now;
    Object.assign(globalThis, { fetch });
  }
}
