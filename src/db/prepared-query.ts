import { type CompiledQuery, createQueryId, type Kysely } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

/** Names of prepared statements by their SQL. */
const statementNames = new Map<string, string>();
/** Error of a prepared `select *` whose table has changed since, as a migration of a newer server does. */
const STALE_PLAN = { code: '0A000', routine: 'RevalidateCachedQuery' };

/** Stands for a value in a query that is compiled once. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Creates a function that runs a query that is compiled once. On connections that prepare statements, PostgreSQL parses it once for
 * each connection, too. `build` uses the members of `values` as values only.
 */
export function prepareQuery<V extends object, R>(
  build: (db: Kysely<Database>, values: V) => { compile(): CompiledQuery<R> },
): (db: Kysely<Database>, values: V) => Promise<R[]> {
  const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as V;
  let compiled: CompiledQuery<R> | undefined;
  return async (db, values) => {
    if (compiled === undefined) {
      compiled = build(db, placeholders).compile();
      nameStatement(compiled.sql);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof V] : value,
    );
    const query: CompiledQuery<R> = { ...compiled, parameters, queryId: createQueryId() };
    const { rows } = await db.executeQuery(query);
    return rows;
  };
}

let lastStatement = 0;

function nameStatement(sql: string): void {
  statementNames.set(sql, `hindsight_${++lastStatement}`);
}

/** A connection that runs the queries of `prepareQuery` as prepared statements. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.
  override query(...args: any[]): any {
    const [text, values] = args;
    const name = typeof text === 'string' && args.length === 2 ? statementNames.get(text) : undefined;
    if (name === undefined) return super.query(...(args as [string]));
    return super.query({ name, text, values }).catch((error) => {
      if (error.code !== STALE_PLAN.code || error.routine !== STALE_PLAN.routine) throw error;
      // Another connection may have renamed it already.
      if (statementNames.get(text) === name) nameStatement(text);
      return super.query({ name: statementNames.get(text)!, text, values });
    });
  }
}
