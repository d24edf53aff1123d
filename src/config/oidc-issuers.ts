import { z } from 'zod';
import { configuredIssuers } from '#contract/sign-in-providers.ts';

/** Parses the JSON array of OpenID Connect issuers. Ids are distinct. */
export const oidcIssuers = z.string().transform((text, context) => {
  const parsed = configuredIssuers.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.');
    context.addIssue(
      `must be a JSON array of issuers with id, name, issuer, client_id and client_secret${place ? `; ${place} is wrong` : ''}`,
    );
    return z.NEVER;
  }
  const ids = parsed.data.map(({ id }) => id);
  if (new Set(ids).size < ids.length) {
    context.addIssue('must name each id once');
    return z.NEVER;
  }
  return parsed.data;
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
