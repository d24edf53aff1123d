import { z } from 'zod';
import type { ModelFormat } from '../models/port.ts';

/** Reply of a model to an error. */
export interface ModelReply {
  rootCause: string;
  fix: string;
  /** Unified diff, possibly malformed; null without a proposal. */
  patch: string | null;
  bestPractices: string[];
  confidenceBasis: string;
  citations: string[];
  /** Ids of places, most likely first; untrusted. */
  placeOrder: string[];
}

const MAX_TEXT = 6_000;
const MAX_PATCH = 30_000;
const MAX_ADVICE = 400;
const MAX_ITEMS = 12;

/** Schema for models that support formats; every field is required, as strict providers demand. */
const replySchema = z.object({
  root_cause: z.string(),
  fix: z.string(),
  patch: z.string().nullable(),
  best_practices: z.array(z.string()),
  confidence_basis: z.string(),
  citations: z.array(z.string()),
  place_order: z.array(z.string()),
});

/** Output format of the reply. */
export const REPLY_FORMAT: ModelFormat = { name: 'diagnosis', schema: jsonSchema() };

function jsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(replySchema);
  return schema;
}

const text = z
  .string()
  .transform((value) => value.trim().slice(0, MAX_TEXT))
  .catch('');
/** A list, or text with one item per line. */
const list = z
  .union([z.array(z.coerce.string()), z.string().transform((value) => value.split('\n'))])
  .transform((items) =>
    items
      .map((item) => item.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
      .filter((item) => item !== '')
      .slice(0, MAX_ITEMS),
  )
  .catch([]);

/** Schema for parsing, more lenient than the requested one: missing fields are empty. */
const lenientSchema = z.object({
  root_cause: text,
  fix: text,
  patch: z
    .string()
    .max(MAX_PATCH)
    .transform((value) => (/^@@|^--- /m.test(value) ? value : null))
    .nullable()
    .catch(null),
  best_practices: list,
  confidence_basis: text,
  citations: list,
  place_order: list,
});

/** Headings of the fields in a reply without JSON, in matching order. */
const HEADINGS: [keyof z.input<typeof replySchema>, RegExp][] = [
  ['patch', /^(?:the )?(?:proposed )?(?:patch|diff)$/],
  ['best_practices', /^(?:best practices?|advice)$/],
  ['confidence_basis', /^(?:confidence(?: basis)?|how sure.*|basis)$/],
  ['citations', /^(?:citations?|sources?|references?)$/],
  ['place_order', /^(?:place order|places?|order(?: of places)?)$/],
  ['root_cause', /^(?:root cause|cause|diagnosis|analysis)$/],
  ['fix', /^(?:the )?(?:recommended |suggested |proposed )?(?:fix|solution)$/],
];

/**
 * Parses a model's reply:
 *
 *   reply = json | "```json" LF json LF "```" | words json words | (heading LF words)*
 *
 * Null when it is neither, or has no root cause.
 */
export function parseReply(text: string): ModelReply | null {
  const fields = parseJsonReply(text) ?? (/^\s*[{[]/.test(text) ? null : parseHeadings(text));
  if (fields === null) return null;
  const read = lenientSchema.parse(fields);
  if (read.root_cause === '') return null;
  return {
    rootCause: read.root_cause,
    fix: read.fix,
    patch: read.patch && normalizePatch(read.patch),
    bestPractices: read.best_practices.map((advice) => advice.slice(0, MAX_ADVICE)),
    confidenceBasis: read.confidence_basis,
    citations: read.citations,
    placeOrder: read.place_order,
  };
}

/** Outermost JSON object of a text, or null. */
function parseJsonReply(text: string): Record<string, unknown> | null {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0 || end < start) return null;
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return typeof value === 'object' && value !== null && 'root_cause' in value ? { ...value } : null;
  } catch {
    return null;
  }
}

/** A reply without headings is accepted when it refers to evidence; "I can't help with that" does not. */
const EVIDENCE_REFERENCE = /\[e\d+\]|`[^`\n]+ @ [0-9a-f]{7,}`|`[0-9a-f]{7,64}`/;

const HEADING = /^(?:#{1,6}\s+)?\**([A-Za-z][A-Za-z _]{2,30})\**:?\**\s*$/;
/** Longer lines are not headings; `HEADING` may take quadratic time. */
const MAX_HEADING = 80;

/**
 * Parses text under headings such as `### Heading`, `**Heading**` or `Heading:`; text before the first is the root cause.
 * Null for text that is not an answer.
 */
function parseHeadings(text: string): Record<string, unknown> | null {
  const found: Record<string, string> = {};
  let field: string = 'root_cause';
  let headed = false;
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,})/.exec(line)?.[1];
    if (mark) fence = fence === null ? mark : null;
    const heading = fence === null && line.length <= MAX_HEADING ? HEADING.exec(line) : null;
    const name = heading?.[1]?.trim().toLowerCase().replaceAll('_', ' ');
    const next = name && HEADINGS.find(([, pattern]) => pattern.test(name))?.[0];
    if (next) {
      field = next;
      headed = true;
    } else found[field] = `${found[field] ?? ''}${line}\n`;
  }
  if (!headed && !EVIDENCE_REFERENCE.test(text)) return null;
  // A patch in a fence under another heading counts as well.
  return { patch: fencedPatch(text), ...found };
}

function fencedPatch(text: string): string | null {
  const opening = /```(?:diff|patch)\n/.exec(text);
  if (!opening) return null;
  const start = opening.index + opening[0].length;
  const end = text.indexOf('\n```', start);
  return end < 0 ? null : text.slice(start, end);
}

/** Normalizes a patch for git: without fences, with `a/` and `b/`, with correct hunk counts. */
export function normalizePatch(patch: string): string {
  const rows = patch.replaceAll('\r\n', '\n').split('\n');
  while (rows.length > 1 && rows.at(-1) === '') rows.pop();
  const start = rows.findIndex((row, at) => row.startsWith('--- ') && rows[at + 1]?.startsWith('+++ '));
  const kept = rows
    .slice(Math.max(0, start))
    .filter((row) => !/^(?:```|diff --git |index [0-9a-f]+\.\.)/.test(row))
    // A blank line before the next file belongs to neither.
    .filter((row, at, all) => row !== '' || !all[at + 1]?.startsWith('--- '));
  return `${kept.map((row, at) => normalizeRow(row, at, kept)).join('\n')}\n`;
}

function normalizeRow(row: string, at: number, rows: string[]): string {
  const isOld = row.startsWith('--- ') && rows[at + 1]?.startsWith('+++ ');
  const isNew = row.startsWith('+++ ') && rows[at - 1]?.startsWith('--- ');
  if (isOld || isNew) {
    const path = row.slice(4).replace(/\t.*$/, '').trim();
    const side = isOld ? 'a/' : 'b/';
    return `${row.slice(0, 4)}${path === '/dev/null' || path.startsWith(side) ? path : side + path}`;
  }
  const hunk = /^@@(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)|.*)$/.exec(row);
  if (!hunk) return row;
  const [before, after] = countRows(rows, at + 1);
  return `@@ -${hunk[1] ?? Math.min(1, before)},${before} +${hunk[2] ?? 1},${after} @@${hunk[3] ?? ''}`;
}

/** Counts the lines of the hunk that starts at `from`, before and after the change. */
function countRows(rows: string[], from: number): [number, number] {
  let [before, after] = [0, 0];
  for (let at = from; at < rows.length; at++) {
    const row = rows[at]!;
    if (row.startsWith('@@') || (row.startsWith('--- ') && rows[at + 1]?.startsWith('+++ '))) break;
    if (row.startsWith('\\')) continue;
    if (!row.startsWith('+')) before += 1;
    if (!row.startsWith('-')) after += 1;
  }
  return [before, after];
}
