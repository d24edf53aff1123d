import { type MessageTemplate, splitAtPlaceholders } from './message-templates.ts';

/** Files of messages by key, one per language. */
const CATALOG_EXTENSION = /\.(?:json[5c]?|ya?ml|properties|po|toml|strings|arb|resx)$/i;
/** `"key": "`, `key: `, `key = `, `'key' => '`, as in JSON, YAML, properties, PHP and Ruby. */
const ENTRY = /^\s*["']?([\w.-]{1,100})["']?\s*(?::(?=["'])|:(?:\s|$)|=>?)/;
const MAX_ROWS_ABOVE = 2000;

/** True for files whose messages the code looks up by key. */
export function isMessageCatalog(path: string): boolean {
  return (
    CATALOG_EXTENSION.test(path) ||
    /(?:^|\/)(?:lang|locales?|i18n|translations)\/.*\.(?:php|[jt]s|rb)$/i.test(path)
  );
}

/**
 * Keys by which code may look up the message on row `row` (from 0), likeliest first: the full path
 * `errors.cart.closed` and its suffixes; for gettext, the original message.
 */
export function catalogKeys(lines: readonly string[], row: number): string[] {
  if (/^msgstr/.test(lines[row] ?? '')) {
    const original = lines.slice(Math.max(0, row - 3), row).findLast((line) => /^msgid "/.test(line));
    return original ? [original.slice('msgid "'.length, original.lastIndexOf('"'))] : [];
  }
  const path: string[] = [];
  let indent = Number.POSITIVE_INFINITY;
  for (let at = row; at >= 0 && at > row - MAX_ROWS_ABOVE && indent > 0; at--) {
    const line = lines[at]!;
    const left = line.search(/\S/);
    const key = left >= 0 && left < indent ? ENTRY.exec(line)?.[1] : undefined;
    if (key === undefined) {
      if (at === row) return [];
      continue;
    }
    path.unshift(key);
    indent = left;
  }
  return path.map((_, from) => path.slice(from).join('.'));
}

/** Unquoted messages of a catalog: `key: Order %{id} is closed`. Lines count from 0. */
export function parseCatalogEntries(lines: readonly string[]): MessageTemplate[] {
  return lines.flatMap((line, row) => {
    const entry = ENTRY.exec(line)?.[0] ?? line;
    const text = line.slice(entry.length).trim();
    return /^(?:["'|>[{]|$)/.test(text) ? [] : [{ pieces: splitAtPlaceholders(text), from: row, to: row }];
  });
}
