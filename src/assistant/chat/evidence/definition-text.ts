import type { ToolContext } from '../../tools/tool.ts';
import type { DefinitionPlace } from './definition-lines.ts';

/** Parts of a definition's source. */
export interface DefinitionText {
  /** Comment above and docstring below the header, as plain lines. */
  comment: string[];
  /** Header up to the body. */
  signature: string[];
  /** Body below the docstring. */
  body: string[];
  /** Errors that the body raises, and what it returns, as written, each once. */
  raises: string[];
  returns: string[];
}

const MAX_SIGNATURE = 12;
const LINE_COMMENT =
  /^\s*(?:\/\/[/!]?|#(?!\s*(?:define|include|if|ifdef|ifndef|elif|else|endif|pragma|undef|error)\b|\[)|--|;+)\s?/;
const BLOCK_EDGE = /^\s*\/?\*+\/?\s?|\s*\*+\/\s*$/g;
const DECORATOR = /^\s*(?:@[\w.]+|#\[|#!\[)/;
const RAISE =
  /^\s*(?:\w.*?[;{)]\s*)?(?:raise|throw|panic!?\(|return\s+(?:Err|errors\.New|fmt\.Errorf)\()\s*(.*)$/;
const RETURN = /^\s*return\b\s*(.*?);?\s*$/;
const MAX_ITEMS = 4;

/** Reads the comment, header and body of a definition. */
export async function readDefinition(
  place: DefinitionPlace,
  { sources }: ToolContext,
): Promise<DefinitionText> {
  const rows = (await sources.lines(place.path)) ?? [];
  const above = commentAbove(rows, place.line - 1);
  const header = signatureRows(rows, place.line - 1, place.to - 1);
  const start = place.line - 1 + header.length;
  const docstring = docstringRows(rows, start, place.to);
  const body = rows.slice(start + docstring.length, place.to);
  return {
    comment: [...cleanComment(above), ...cleanComment(docstring)],
    signature: header,
    body,
    raises: collect(body, RAISE),
    returns: collect(body, RETURN),
  };
}

/** Comment rows right above a row, also above decorators and one blank row of a license header excluded. */
function commentAbove(rows: readonly string[], row: number): string[] {
  let at = row - 1;
  while (at >= 0 && DECORATOR.test(rows[at]!)) at--;
  const last = at;
  if (/\*\/\s*$/.test(rows[at] ?? '')) {
    while (at >= 0 && !/\/\*/.test(rows[at]!)) at--;
    return rows.slice(Math.max(at, 0), last + 1);
  }
  while (at >= 0 && LINE_COMMENT.test(rows[at]!)) at--;
  return rows.slice(at + 1, last + 1);
}

/** Rows of a header up to the one that opens the body. */
function signatureRows(rows: readonly string[], row: number, last: number): string[] {
  for (let at = row; at < Math.min(row + MAX_SIGNATURE, last + 1); at++) {
    if (/[{:;]\s*(?:#.*|\/\/.*)?$|\bdo\b\s*$|=>\s*$/.test(rows[at]!)) return rows.slice(row, at + 1);
    if (at > row && rows[at]!.trim() === '') return rows.slice(row, at);
    if (at === row && /^\s*(?:def|class|module)\b[^(]*(?:\([^)]*\))?\s*$/.test(rows[at]!))
      return rows.slice(row, at + 1);
  }
  return rows.slice(row, row + 1);
}

/** Rows of a Python docstring that starts at a row; none elsewhere. */
function docstringRows(rows: readonly string[], start: number, end: number): string[] {
  const mark = /^\s*[rRbBuU]{0,2}("""|'''|")/.exec(rows[start] ?? '')?.[1];
  if (mark === undefined) return [];
  for (let at = start; at < end; at++) {
    const text: string = at === start ? rows[at]!.slice(rows[at]!.indexOf(mark) + mark.length) : rows[at]!;
    if (text.includes(mark)) return rows.slice(start, at + 1);
  }
  return [];
}

/** Comment rows without their marks and common indentation. */
function cleanComment(rows: readonly string[]): string[] {
  const plain = rows.map((row) =>
    row
      .replace(LINE_COMMENT, '')
      .replace(BLOCK_EDGE, '')
      .replace(/^\s*[rRbBuU]{0,2}(?:"""|''')|(?:"""|''')\s*$/g, '')
      .trimEnd(),
  );
  const indents = plain
    .slice(1)
    .filter((row) => row.trim() !== '')
    .map((row) => row.length - row.trimStart().length);
  const common = indents.length > 0 ? Math.min(...indents) : 0;
  const trimmed = plain.map((row, i) =>
    i === 0 ? row.trimStart() : row.slice(Math.min(common, row.length - row.trimStart().length)),
  );
  while (trimmed[0]?.trim() === '') trimmed.shift();
  while (trimmed.at(-1)?.trim() === '') trimmed.pop();
  return trimmed;
}

/** Comment or docstring at the beginning of a file, without its license; empty without one. */
export function fileHeader(rows: readonly string[]): string[] {
  const blocks: string[][] = [];
  let at = 0;
  while (at < Math.min(rows.length, 80) && blocks.length < 3) {
    const text = rows[at]!;
    if (
      text.trim() === '' ||
      /^#!|^\s*(?:['"]use strict['"]|<\?php|declare\(|#\s*-\*-|package\s|\/\/\s*\+build|\/\/go:build|# frozen)/.test(
        text,
      )
    ) {
      at++;
      continue;
    }
    const docstring = docstringRows(rows, at, rows.length);
    const end = docstring.length > 0 ? at + docstring.length : commentEnd(rows, at);
    if (end === at) break;
    blocks.push(cleanComment(rows.slice(at, end)));
    at = end;
  }
  return blocks.find((block) => !LICENSE.test(block.join(' '))) ?? [];
}

const LICENSE = /\blicen[cs]ed?\b|copyright|\(c\)|all rights reserved/i;

function commentEnd(rows: readonly string[], start: number): number {
  let at = start;
  if (/^\s*\/\*/.test(rows[at]!)) {
    while (at < rows.length && !rows[at]!.includes('*/')) at++;
    return Math.min(at + 1, rows.length);
  }
  while (at < rows.length && LINE_COMMENT.test(rows[at]!)) at++;
  return at;
}

function collect(rows: readonly string[], pattern: RegExp): string[] {
  const found = rows
    .map((row) => pattern.exec(row)?.[1]?.trim())
    .filter((text) => text !== undefined && text !== '');
  return [...new Set(found as string[])].slice(0, MAX_ITEMS);
}
