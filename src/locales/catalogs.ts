import deAnswers from './de/answers.json' with { type: 'json' };
import deBacktest from './de/backtest.json' with { type: 'json' };
import deChat from './de/chat.json' with { type: 'json' };
import deDebug from './de/debug.json' with { type: 'json' };
import deErrors from './de/errors.json' with { type: 'json' };
import deMail from './de/mail.json' with { type: 'json' };
import deNotifications from './de/notifications.json' with { type: 'json' };
import deParts from './de/parts.json' with { type: 'json' };
import deProofs from './de/proofs.json' with { type: 'json' };
import enAnswers from './en/answers.json' with { type: 'json' };
import enBacktest from './en/backtest.json' with { type: 'json' };
import enChat from './en/chat.json' with { type: 'json' };
import enDebug from './en/debug.json' with { type: 'json' };
import enErrors from './en/errors.json' with { type: 'json' };
import enMail from './en/mail.json' with { type: 'json' };
import enNotifications from './en/notifications.json' with { type: 'json' };
import enParts from './en/parts.json' with { type: 'json' };
import enProofs from './en/proofs.json' with { type: 'json' };
import esAnswers from './es/answers.json' with { type: 'json' };
import esBacktest from './es/backtest.json' with { type: 'json' };
import esChat from './es/chat.json' with { type: 'json' };
import esDebug from './es/debug.json' with { type: 'json' };
import esErrors from './es/errors.json' with { type: 'json' };
import esMail from './es/mail.json' with { type: 'json' };
import esNotifications from './es/notifications.json' with { type: 'json' };
import esParts from './es/parts.json' with { type: 'json' };
import esProofs from './es/proofs.json' with { type: 'json' };
import frAnswers from './fr/answers.json' with { type: 'json' };
import frBacktest from './fr/backtest.json' with { type: 'json' };
import frChat from './fr/chat.json' with { type: 'json' };
import frDebug from './fr/debug.json' with { type: 'json' };
import frErrors from './fr/errors.json' with { type: 'json' };
import frMail from './fr/mail.json' with { type: 'json' };
import frNotifications from './fr/notifications.json' with { type: 'json' };
import frParts from './fr/parts.json' with { type: 'json' };
import frProofs from './fr/proofs.json' with { type: 'json' };
import type { Language } from './languages.ts';

/** Messages that the server renders, by language and namespace; a namespace is the name of its JSON file. */
const CATALOGS = {
  en: {
    answers: enAnswers,
    backtest: enBacktest,
    chat: enChat,
    debug: enDebug,
    errors: enErrors,
    mail: enMail,
    notifications: enNotifications,
    parts: enParts,
    proofs: enProofs,
  },
  es: {
    answers: esAnswers,
    backtest: esBacktest,
    chat: esChat,
    debug: esDebug,
    errors: esErrors,
    mail: esMail,
    notifications: esNotifications,
    parts: esParts,
    proofs: esProofs,
  },
  fr: {
    answers: frAnswers,
    backtest: frBacktest,
    chat: frChat,
    debug: frDebug,
    errors: frErrors,
    mail: frMail,
    notifications: frNotifications,
    parts: frParts,
    proofs: frProofs,
  },
  de: {
    answers: deAnswers,
    backtest: deBacktest,
    chat: deChat,
    debug: deDebug,
    errors: deErrors,
    mail: deMail,
    notifications: deNotifications,
    parts: deParts,
    proofs: deProofs,
  },
};

type Nested = { readonly [key: string]: string | Nested };

type PluralCategory = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type WithoutPlural<K extends string> = K extends `${infer Base}_${PluralCategory}` ? Base : K;

/** Dotted paths of the messages below `T`, without plural suffixes: `why.frame` for `{ why: { frame: '…' } }`. */
type PathsOf<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPlural<K> : `${K}.${PathsOf<T[K]>}`;
}[keyof T & string];

/** Namespace and path of a message: `debug.why.frame` is `why.frame` in `debug.json`. */
export type MessageKey = PathsOf<(typeof CATALOGS)['en']>;

const TEMPLATES: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map(flatten(CATALOGS.en)),
  es: new Map(flatten(CATALOGS.es)),
  fr: new Map(flatten(CATALOGS.fr)),
  de: new Map(flatten(CATALOGS.de)),
};

/** Templates of a language by message key; plural forms carry their suffix, as in `days_one`. */
export function templatesIn(language: Language): ReadonlyMap<string, string> {
  return TEMPLATES[language];
}

function flatten(messages: Nested, prefix = ''): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}
