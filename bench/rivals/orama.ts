import { BEST, load, type OpenRival } from './rival.ts';

interface Orama {
  create(options: { schema: { text: 'string' } }): object;
  insertMultiple(db: object, documents: { text: string }[], batch: number): Promise<unknown>;
  search(db: object, query: { term: string; limit: number }): unknown;
}

/** Orama as its README sets it up. */
export const openOrama: OpenRival = async (texts) => {
  const { create, insertMultiple, search } = await load<Orama>('@orama/orama');
  const db = create({ schema: { text: 'string' } });
  await insertMultiple(
    db,
    texts.map((text) => ({ text })),
    1000,
  );
  return { search: (term) => search(db, { term, limit: BEST }) };
};
