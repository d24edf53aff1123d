import { API_PREFIX } from '#contract/route.ts';
import { getAccessToken } from '../access-token.ts';
import { refreshAccessToken } from '../api.ts';

/** Downloads a file of the API under the name that the server gives it; a plain link would carry no access token. */
export async function downloadFile(path: string, fallbackName: string): Promise<void> {
  const used = getAccessToken();
  let reply = await load(path);
  if (reply.status === 401 && used !== null) {
    await refreshAccessToken(used);
    reply = await load(path);
  }
  if (!reply.ok) throw new Error((await readMessage(reply)) ?? reply.statusText);
  const [, name = fallbackName] =
    /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '') ?? [];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await reply.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function load(path: string): Promise<Response> {
  return await fetch(API_PREFIX + path, { headers: { authorization: `Bearer ${getAccessToken()}` } });
}

async function readMessage(reply: Response): Promise<string | null> {
  const body = (await reply.json().catch(() => null)) as { error?: { message?: string } } | null;
  return body?.error?.message ?? null;
}
