import { z } from 'zod';

/** A setting of the program, read from the environment variable of its name. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  schema: S;
  /** Default as it is written in the documentation; empty when there is none. */
  shownDefault: string;
  /** Description in `docs/configure.md`. */
  doc: string;
}

/** Declares a setting with a default, written as its variable would be. */
export function setting<S extends z.ZodType>(
  schema: S,
  { preset, doc, shownDefault }: { preset: string; doc: string; shownDefault?: string },
): Setting<z.ZodPrefault<S>> {
  const shown = shownDefault ?? (preset === '' ? '' : `\`${preset}\``);
  return { schema: schema.prefault(preset as z.input<S>), shownDefault: shown, doc };
}

/** Declares a setting without a default. */
export function optionalSetting<S extends z.ZodType>(
  schema: S,
  doc: string,
  shownDefault = '',
): Setting<z.ZodOptional<S>> {
  return { schema: schema.optional(), shownDefault, doc };
}

/** Parses a comma-separated list. */
export const list = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''));

/** Folders of the system, which no setting may hand out as a whole. */
const SYSTEM_FOLDER = /^\/(?:etc|proc|sys|dev|run|var|tmp|root|home|boot)?\/?$/;

/** Parses a comma-separated list of absolute folders. */
export const folderList = list.refine(
  (folders) => folders.every((folder) => folder.startsWith('/') && !SYSTEM_FOLDER.test(folder)),
  'must be absolute folders of toolchains, such as /opt/go,/home/me/.cargo',
);

/** Parses an integer within bounds. */
export function integer(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Parses a non-negative decimal number. */
export const decimal = z
  .string()
  .regex(/^\d{1,12}(?:\.\d{1,6})?$/, 'must be a number such as 20 or 0.5')
  .transform(Number);

/** Accepts one of several words. */
export function oneOf<const T extends string>(...values: [T, ...T[]]) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

/** Accepts any text. */
export const text = z.string();

/** Parses `name=value` pairs separated by commas, as OpenTelemetry writes headers. */
export const headerList = list
  .refine((pairs) => pairs.every((pair) => /^[\w-]+=/.test(pair)), 'must be such as api-key=abc,tenant=eu')
  .transform((pairs) => Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2))))
  .pipe(z.record(z.string(), z.string()));

const isHttpUrl = (value: string) => /^https?:$/.test(URL.parse(value)?.protocol ?? '');

/** Parses a URL to its origin. */
export const origin = z
  .string()
  .refine(isHttpUrl, 'must be an address such as https://hindsight.example.org')
  .transform((value) => new URL(value).origin);

/** Accepts a host name without scheme and port; a leading dot includes all subdomains. */
export const hostName = z
  .string()
  .regex(
    /^\.?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u,
    'must be host names such as hindsight.example.org or .example.org',
  );

/** Accepts a URL with a path. */
export const url = z.string().refine(isHttpUrl, {
  error: 'must be an address such as https://api.example.org',
});

/** Accepts the base URL of a model API. */
export const modelUrl = z.string().refine(isHttpUrl, {
  error: 'must be the address of a model API, such as http://127.0.0.1:11434/v1',
});

/** Accepts the URL of a bucket, or of a folder. User name and password have settings of their own. */
export const objectStoreUrl = z.string().refine((value) => {
  const url = URL.parse(value);
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '') return false;
  if (url.protocol === 'file:') return url.host === '' && url.pathname.length > 1;
  return isHttpUrl(value) && url.pathname.split('/').filter(Boolean).length <= 1;
}, 'must be the URL of a bucket, such as https://s3.example.org/hindsight, or of a folder, such as file:///mnt/hindsight');

/** Parses `30/60` to 30 uses within 60 seconds. */
export const rateLimit = z
  .string()
  .regex(/^[1-9]\d{0,8}\/[1-9]\d{0,6}$/, 'must be how often and within how many seconds, such as 30/60')
  .transform((value) => value.split('/').map(Number))
  .transform(([max = 0, seconds = 0]) => ({ max, seconds }));
