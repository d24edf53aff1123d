import type { ErrorEvent, EventFrame } from './error-event.ts';

/** Rules of a project. */
export interface ScrubRules {
  /** Passwords, keys, cards, emails, IPs, cookies, query strings. */
  defaults: boolean;
  /** Further names of fields, without regard to case. */
  fields: readonly string[];
}

/** Stands for what was removed. */
const FILTERED = '[Filtered]';

/** Names of fields whose values are removed, as parts of a name: `db_password`, `x-api-key`, `sessionId`. */
const FIELD =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|auth(?!or)|credential|cookie|session(?!s$)|csrf|xsrf|jwt|card[-_ ]?n|cvv|cvc|ssn|iban|email|e[-_]mail|phone|remote[-_ ]?addr|forwarded|real[-_ ]?ip|ip[-_ ]?addr|^ip$|^user(?:[-_. ]?name)?$/i;

/** `password=…`, `"token": "…"`, `secret: …` in a text, up to the end of the value. */
const ASSIGNMENT =
  /((?:pass(?:word|wd|phrase)|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?|csrf|session(?:[-_]?id)?)["']?\s{0,3}[=:]\s{0,3}(?!\[Filtered\]))("[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"',;&)\]}]{1,500})/gi;
/** Headers that are printed with their values. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(["']?\s{0,3}[:=]\s{0,3})[^\n]{1,2000}/gi;
const BEARER = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{8,2000}/g;
/** JSON Web Tokens, and the keys of services that mark them by a prefix. */
const KEY =
  /\beyJ[\w-]{10,2000}\.[\w-]{5,4000}(?:\.[\w-]{0,2000})?|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|sk-|[srp]k_(?:live|test)_|npm_|hs_|pypi-|dop_v1_|SG\.)[\w-]{16,300}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}/g;
const PEM =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
/** User and password before a host. */
const USERINFO = /(\b[a-z][a-z0-9+.-]{1,30}:\/\/)[^\s/@"'<>]{1,300}@/gi;
/** Query strings of URLs and paths. */
const QUERY = /((?:\b[a-z][a-z0-9+.-]{1,20}:\/\/|\/)[^\s?"'<>]{1,1000}\?)[^\s"'<>)]{1,2000}/gi;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/g;
const CARD = /\b(?:\d[ -]?){12,18}\d\b/g;
const IPV4 = /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.]|-\w)/g;
const IPV6 =
  /(?<![\w:.])(?:(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?::(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,6})?)(?![\w:])/gi;
/** Loopback IPs identify no one. */
const LOOPBACK = /^(?:127\.|0\.0\.0\.0$|::1?$)/;

/** Removes personal data and secrets from an event. User, cookies, headers and bodies are never read in the first place. */
export function scrubEvent(event: ErrorEvent, rules: ScrubRules): ErrorEvent {
  const names = new Set(rules.fields.map((name) => name.toLowerCase()));
  if (!rules.defaults && names.size === 0) return event;
  const text = (value: string) => scrubText(value, rules, names);
  const optional = <T extends string | null | undefined>(value: T) => (value ? text(value) : value) as T;
  const isPrivate = (name: string) => names.has(name.toLowerCase()) || (rules.defaults && FIELD.test(name));
  const fields = (record: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, isPrivate(name) ? FILTERED : text(value)]),
    );
  const code = (frame: EventFrame) => (rules.defaults ? scrubFrame(frame) : frame);
  return {
    ...event,
    message: optional(event.message),
    ...(event.messageTemplate && { messageTemplate: text(event.messageTemplate) }),
    exceptions: event.exceptions.map((exception) => ({
      ...exception,
      value: optional(exception.value),
      frames: exception.frames.map(code),
    })),
    ...(event.transaction && { transaction: text(event.transaction) }),
    ...(event.fingerprint && { fingerprint: event.fingerprint.map(text) }),
    ...(event.request && {
      request: { ...event.request, ...(event.request.url && { url: text(event.request.url) }) },
    }),
    tags: fields(event.tags),
    extra: fields(event.extra),
    breadcrumbs: event.breadcrumbs.map((crumb) => ({ ...crumb, message: text(crumb.message) })),
  };
}

function scrubText(value: string, { defaults }: ScrubRules, names: ReadonlySet<string>): string {
  const text = names.size === 0 ? value : scrubNamed(value, names);
  if (!defaults) return text;
  let result = scrubSecrets(text);
  if (/[=:]/.test(result)) {
    result = result
      .replace(HEADER, `$1$2${FILTERED}`)
      .replace(BEARER, `$1 ${FILTERED}`)
      .replace(ASSIGNMENT, `$1${FILTERED}`);
  } else if (result.includes(' ')) result = result.replace(BEARER, `$1 ${FILTERED}`);
  if (result.includes('?')) result = result.replace(QUERY, `$1${FILTERED}`);
  if (/\d\.\d/.test(result)) result = result.replace(IPV4, (ip) => (LOOPBACK.test(ip) ? ip : FILTERED));
  if (/:[\da-f]{0,4}:/i.test(result))
    result = result.replace(IPV6, (ip) => (isPublicIpv6(ip) ? FILTERED : ip));
  return result;
}

/** Removes what is secret wherever it stands, also in code: keys, user names in URLs, emails, cards. */
function scrubSecrets(value: string): string {
  let result = value.includes('-----BEGIN') ? value.replace(PEM, FILTERED) : value;
  if (/[_\-.]|A[KSI]I/.test(result)) result = result.replace(KEY, FILTERED);
  if (result.includes('@')) {
    if (result.includes('://')) result = result.replace(USERINFO, `$1${FILTERED}@`);
    result = result.replace(EMAIL, FILTERED);
  }
  return /\d[\d -]{11}/.test(result)
    ? result.replace(CARD, (digits) => (isCard(digits) ? FILTERED : digits))
    : result;
}

/** Values of the project's own fields in a text: `name=…`, `"name": "…"`. */
function scrubNamed(value: string, names: ReadonlySet<string>): string {
  return value.replace(
    /([\w.-]{1,100})(["']?\s{0,3}[=:]\s{0,3})("[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"',;&)\]}]{1,500})/g,
    (all, name: string, between: string) =>
      names.has(name.toLowerCase()) ? `${name}${between}${FILTERED}` : all,
  );
}

/** True when `scrubSecrets` may change a text. */
function mayHoldSecret(text: string): boolean {
  return (
    text.includes('@') || text.includes('-----BEGIN') || /\d[\d -]{11}/.test(text) || text.search(KEY) !== -1
  );
}

/** Lines of code keep their assignments, which name variables; only literal secrets go. */
function scrubFrame(frame: EventFrame): EventFrame {
  const { text, before = [], after = [] } = frame;
  // One look at all lines is cheaper than one at each, and nearly none holds a secret.
  if (!mayHoldSecret([...before, text ?? '', ...after].join('\n'))) return frame;
  return {
    ...frame,
    ...(text !== undefined && { text: scrubSecrets(text) }),
    ...(frame.before && { before: before.map(scrubSecrets) }),
    ...(frame.after && { after: after.map(scrubSecrets) }),
  };
}

/** False for this machine, and for names such as `Ab::Cd`, which have no digit. */
function isPublicIpv6(ip: string): boolean {
  return /\d/.test(ip) && !LOOPBACK.test(ip);
}

/** True for a number that passes the checksum of Luhn, which every card has. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
