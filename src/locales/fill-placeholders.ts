import type { Language } from './languages.ts';

/** `{{name}}` or `{{name, format}}`. */
const PLACEHOLDER = /\{\{\s*(\w+)(?:\s*,\s*(\w+))?\s*\}\}/g;

/** Renders a parameter in a format: `number`, `ago` or none. */
type FormatParam = (value: unknown, format: string | undefined) => string;

/** Fills the placeholders of a template; a parameter that is missing leaves nothing. */
export function fillPlaceholders(
  template: string,
  params: Readonly<Record<string, unknown>>,
  formatParam: FormatParam,
): string {
  return template.replace(PLACEHOLDER, (_, name: string, format: string | undefined) => {
    const value = params[name];
    return value === undefined || value === null ? '' : formatParam(value, format);
  });
}

/** Finds a template by key, or by the plural form of its key that `count` selects in this language. */
export function findPluralForm(
  templates: ReadonlyMap<string, string>,
  key: string,
  count: unknown,
  language: Language,
): string | undefined {
  if (count === undefined) return templates.get(key);
  const category = new Intl.PluralRules(language).select(Number(count));
  return templates.get(`${key}_${category}`) ?? templates.get(`${key}_other`) ?? templates.get(key);
}
