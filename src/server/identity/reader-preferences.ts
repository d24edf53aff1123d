import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a reader may choose, kept in cookies that the browser writes too; the first of each is the default. */
const CHOICES = {
  theme: ['light', 'dark', 'system'],
  language: ['en', 'es', 'fr', 'de'],
} as const;
type Choice = keyof typeof CHOICES;

const YEAR_S = 365 * 24 * 3600;

type Value<C extends Choice> = (typeof CHOICES)[C][number];

export interface ReaderChoices {
  theme: Value<'theme'>;
  language: Value<'language'>;
  /** By a cookie that says so and grants nothing: it decides between landing page and application only. */
  signedIn: boolean;
}

/** How this reader wants to see a page; a language that was not chosen is the best one of the browser's. */
export function choicesOf(request: FastifyRequest): ReaderChoices {
  return {
    theme: known('theme', request.cookies.theme) ?? CHOICES.theme[0],
    language:
      known('language', request.cookies.language) ??
      preferred(request.headers['accept-language'] ?? '') ??
      CHOICES.language[0],
    signedIn: request.cookies.signed_in === '1',
  };
}

/** Keeps what the query of a link chooses, such as `?theme=dark`; true when there was something to keep. */
export function keepChosen(request: FastifyRequest, reply: FastifyReply): boolean {
  const query = request.query as Record<string, unknown>;
  const chosen = (Object.keys(CHOICES) as Choice[]).flatMap((name) => {
    const value = known(name, query[name]);
    return value === undefined ? [] : [{ name, value }];
  });
  for (const { name, value } of chosen) {
    reply.setCookie(name, value, { path: '/', maxAge: YEAR_S, sameSite: 'lax', secure: 'auto' });
  }
  return chosen.length > 0;
}

function known<C extends Choice>(name: C, value: unknown): Value<C> | undefined {
  return (CHOICES[name] as readonly Value<C>[]).find((choice) => choice === value);
}

/** `fr-CA,fr;q=0.9,en;q=0.8` → `fr`: of the languages that we speak the one with the highest weight. */
function preferred(header: string): Value<'language'> | undefined {
  const wishes = header.split(',', 20).map((wish) => {
    const [tag = '', weight = 'q=1'] = wish.trim().split(/\s*;\s*/);
    return { language: known('language', tag.split('-')[0]?.toLowerCase()), weight: Number(weight.slice(2)) };
  });
  return wishes
    .filter(({ language, weight }) => language && weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]?.language;
}
