import type { Page } from 'playwright-core';
import type { Account, Caller, CallInput } from './caller.ts';
import type { Target } from './targets.ts';
import type { Who, World } from './world.ts';

/** Throws when what the specification says does not hold. Earlier rows of a screen have left the page as it is. */
export type Check = (page: Page, world: World) => Promise<void>;

/** One sentence of the specification. */
export interface Row {
  what: string;
  check: Check;
  /** The section, where it differs from the screen's. */
  section?: number;
  /** The record in `docs/decisions/` when the product departs from the specification. */
  decision?: string;
}

/** A screen is opened once; its rows are checked from top to bottom. */
export interface Screen {
  section: number;
  title: string;
  as: Who;
  open: string | ((world: World) => string);
  /** Target that is visible once the screen has loaded. */
  ready: Target;
  rows: Row[];
}

/** `string`, `number`, …; a question mark for what may be null or left out. */
export type FieldType =
  | 'string'
  | 'string?'
  | 'number'
  | 'number?'
  | 'boolean'
  | 'list'
  | 'object'
  | 'object?'
  | RegExp
  | readonly string[];

/**
 * A call is made twice, under `/api` and at its bare address, and both replies are checked field by field.
 * `a[].b` is the field `b` of every entry of `a`; an empty list holds nothing to check and fails.
 */
export interface CallTable {
  section: number;
  call: string;
  /** Subject of this row, when several tables list the same call. */
  about?: string;
  as?: Who | 'new';
  /** Created separately for each of the two URLs. */
  input?: (world: World, on: { call: Caller; as: Account | null }) => CallInput | Promise<CallInput>;
  /** 200 by default. */
  status?: number;
  fields?: Record<string, FieldType>;
  decision?: string;
}
