import { DatabaseSync } from 'node:sqlite';
import { BEST, type OpenRival, wordsOf } from './rival.ts';

/** SQLite's full-text index without a copy of the texts, in memory; one of the words is enough to match. */
export const openFts5: OpenRival = async (texts) => {
  const db = new DatabaseSync(':memory:');
  db.exec("create virtual table passages using fts5(body, content='', tokenize='unicode61')");
  const insert = db.prepare('insert into passages(rowid, body) values (?, ?)');
  db.exec('begin');
  for (const [index, text] of texts.entries()) insert.run(index + 1, text);
  db.exec('commit');
  db.exec("insert into passages(passages) values ('optimize')");
  const find = db.prepare('select rowid from passages where passages match ? order by rank limit ?');
  return {
    search: (query) =>
      find.all(
        wordsOf(query)
          .map((word) => `"${word}"`)
          .join(' OR '),
        BEST,
      ),
    close: () => db.close(),
  };
};
