import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LANGUAGES, type Language } from '#locales/languages.ts';

/** Values of the preference cookies, which the browser writes too; the first of each is the default. */
const PREFERENCE_VALUES = {
  theme: ['light', 'dark', 'system'],
  language: LANGUAGES,
  sidebar: ['open', 'closed'],
} as const;
type PreferenceName = keyof typeof PREFERENCE_VALUES;

const YEAR_S = 365 * 24 * 3600;

type PreferenceValue<C extends PreferenceName> = (typeof PREFERENCE_VALUES)[C][number];

export interface ReaderPreferences {
  theme: PreferenceValue<'theme'>;
  language: PreferenceValue<'language'>;
  /** On wide screens. */
  sidebar: PreferenceValue<'sidebar'>;
  /** From a cookie without authority, which only selects between landing page and application. */
  signedIn: boolean;
}

/** Reads the preferences of a request; without a cookie the language is negotiated from `Accept-Language`. */
export function readPreferences(request: FastifyRequest): ReaderPreferences {
  return {
    theme: parsePreference('theme', request.cookies.theme) ?? PREFERENCE_VALUES.theme[0],
    language: readLanguage(request),
    sidebar: parsePreference('sidebar', request.cookies.sidebar) ?? PREFERENCE_VALUES.sidebar[0],
    signedIn: request.cookies.signed_in === '1',
  };
}

/** Language of the reader: the cookie of their preference, else the best of `Accept-Language`, else English. */
export function readLanguage({ cookies, headers }: Pick<FastifyRequest, 'cookies' | 'headers'>): Language {
  // Requests that are refused early have no parsed cookies.
  return (
    parsePreference('language', cookies?.language) ??
    negotiateLanguage(headers['accept-language'] ?? '') ??
    'en'
  );
}

/** Saves preferences from the query of a link, such as `?theme=dark`; returns true when there were any. */
export function savePreferences(request: FastifyRequest, reply: FastifyReply): boolean {
  const query = request.query as Record<string, unknown>;
  const chosen = (Object.keys(PREFERENCE_VALUES) as PreferenceName[]).flatMap((name) => {
    const value = parsePreference(name, query[name]);
    return value === undefined ? [] : [{ name, value }];
  });
  for (const { name, value } of chosen) {
    reply.setCookie(name, value, { path: '/', maxAge: YEAR_S, sameSite: 'lax', secure: 'auto' });
  }
  return chosen.length > 0;
}

function parsePreference<C extends PreferenceName>(name: C, value: unknown): PreferenceValue<C> | undefined {
  return (PREFERENCE_VALUES[name] as readonly PreferenceValue<C>[]).find((choice) => choice === value);
}

/** Returns the supported language with the highest weight: `fr-CA,fr;q=0.9,en;q=0.8` → `fr`. */
function negotiateLanguage(header: string): PreferenceValue<'language'> | undefined {
  const wishes = header.split(',', 20).map((wish) => {
    const [tag = '', weight = 'q=1'] = wish.trim().split(/\s*;\s*/);
    return {
      language: parsePreference('language', tag.split('-')[0]?.toLowerCase()),
      weight: Number(weight.slice(2)),
    };
  });
  return wishes
    .filter(({ language, weight }) => language && weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]?.language;
}
