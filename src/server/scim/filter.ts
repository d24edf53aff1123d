import { ScimError } from './scim-error.ts';

/** One comparison `attribute eq value` of a filter. */
export interface FilterTerm {
  /** Lower case, without the URN of a schema. */
  attribute: string;
  value: string | boolean;
}

const MAX_FILTER_LENGTH = 1000;
const MAX_TERMS = 5;
const TERM = /^\s*([A-Za-z][\w.$:-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i;
const SCHEMA_URN = /^urn:ietf:params:scim:schemas:[\w:.]+:(?=[A-Za-z$])/i;

/**
 * Parses a filter: comparisons by `eq`, joined by `and`. Throws `invalidFilter` for everything else.
 *
 *     filter = term *( " and " term )      term = attribute " eq " ( string / "true" / "false" )
 */
export function parseFilter(text: string): FilterTerm[] {
  if (text.length > MAX_FILTER_LENGTH) throw invalidFilter('It is too long.');
  const parts = splitAnd(text);
  if (parts.length > MAX_TERMS) throw invalidFilter('It has too many terms.');
  return parts.map(parseTerm);
}

/** Splits at `and` outside of quotes. */
function splitAnd(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|\sand\s/gi)) {
    if (match[0].startsWith('"')) continue;
    parts.push(text.slice(start, match.index));
    start = match.index + match[0].length;
  }
  return [...parts, text.slice(start)];
}

function parseTerm(text: string): FilterTerm {
  const [, attribute, literal] = TERM.exec(text) ?? [];
  if (attribute === undefined || literal === undefined)
    throw invalidFilter('Only comparisons by eq, joined by and, are supported.');
  return { attribute: stripSchema(attribute).toLowerCase(), value: parseLiteral(literal) };
}

function parseLiteral(literal: string): string | boolean {
  if (!literal.startsWith('"')) return literal.toLowerCase() === 'true';
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw invalidFilter('A string is malformed.');
  }
}

/** Removes the URN of a schema: `urn:…:core:2.0:User:userName` → `userName`. */
export function stripSchema(path: string): string {
  return path.replace(SCHEMA_URN, '');
}

function invalidFilter(why: string): ScimError {
  return new ScimError(400, `The filter is not supported. ${why}`, 'invalidFilter');
}
