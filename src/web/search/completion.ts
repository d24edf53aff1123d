import { FILTER_KEYS, type FilterKey, formatFilter, SEARCH_TYPES } from '#contract/search-query.ts';

/** Part of a query that is being typed. */
export interface TypedPart {
  /** Null while the key itself is typed. */
  key: FilterKey | null;
  /** Text of the key or of the value so far. */
  text: string;
  negated: boolean;
  from: number;
  to: number;
}

/** An offer for the part that is being typed. */
export interface Completion {
  /** Text that replaces the part. */
  value: string;
  label: string;
  detail: string;
}

/** Periods that are offered, the last of which shows the form of a range. */
const DATES = ['7d', '30d', '6m', '1y'];

/** Part of the query in which the cursor is: a word that may become a filter, or the value of one; null elsewhere. */
export function findTypedPart(query: string, cursor: number): TypedPart | null {
  const before = query.slice(0, cursor);
  const filter = /(?:^|\s)(-?)([a-z]+):(?:"([^"]*)|([^\s"]*))$/i.exec(before);
  const key = FILTER_KEYS.find((one) => one === filter?.[2]?.toLowerCase());
  const rest = /^[^\s"]*"?/.exec(query.slice(cursor))![0];
  if (filter && key) {
    const from = filter.index + (/^\s/.test(filter[0]) ? 1 : 0);
    return {
      ...{ key, from, negated: filter[1] === '-' },
      text: filter[3] ?? filter[4] ?? '',
      to: cursor + (filter[3] === undefined && rest.endsWith('"') ? 0 : rest.length),
    };
  }
  const word = /(?:^|\s)(-?)([a-z]*)$/i.exec(before);
  if (!word || (word[2] === '' && before !== '')) return null;
  return {
    key: null,
    text: word[2]!,
    negated: word[1] === '-',
    from: cursor - word[2]!.length - word[1]!.length,
    to: cursor,
  };
}

/** Offers that need no data of the server: filters by their beginning, and values of those with few. */
export function completeLocally(
  part: TypedPart,
  {
    projects,
    describe,
  }: { projects: readonly { name: string; git_url: string }[]; describe: (key: string) => string },
): Completion[] {
  const text = part.text.toLowerCase();
  const toValue = (label: string, detail = ''): Completion => ({
    value: `${formatFilter(part.key!, label, part.negated)} `,
    label,
    detail,
  });
  switch (part.key) {
    case null:
      return FILTER_KEYS.filter((key) => key.startsWith(text) && key !== text).map((key) => ({
        value: `${part.negated ? '-' : ''}${key}:`,
        label: `${key}:`,
        detail: describe(`filter.${key}`),
      }));
    case 'repo':
      return projects
        .filter(({ name, git_url }) => `${name}\n${git_url}`.toLowerCase().includes(text))
        .slice(0, 12)
        .map(({ name, git_url }) => toValue(name, git_url));
    case 'type':
      return SEARCH_TYPES.filter((type) => type.includes(text)).map((type) =>
        toValue(type, describe(`type.${type}`)),
      );
    case 'side':
      return ['added', 'removed']
        .filter((side) => side.startsWith(text))
        .map((side) => toValue(side, describe(`side.${side}`)));
    case 'date':
      return DATES.filter((date) => date.startsWith(text)).map((date) =>
        toValue(date, describe(`date.${date}`)),
      );
    default:
      return [];
  }
}

/** A query with an offer in place of the typed part, and the cursor after it. */
export function applyCompletion(
  query: string,
  part: TypedPart,
  { value }: Completion,
): { query: string; cursor: number } {
  const after = query.slice(part.to);
  const text = value.endsWith(' ') && after.startsWith(' ') ? value.trimEnd() : value;
  const cursor = part.from + value.length;
  return { query: query.slice(0, part.from) + text + after, cursor };
}
