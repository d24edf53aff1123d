import type { ColumnType, JSONColumnType } from 'kysely';

/** `timestamptz`: written as a Date or left to the default, read as a Date. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** The same, where the database fills it in. */
export type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;

/** `jsonb`: written as text, read as a value. */
export type Json<T> = JSONColumnType<NonNullable<T> & object, string, string>;

/** The same, or null. */
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
