import type { SkipReason } from '#contract/projects.ts';
import type { CodeTable } from '../memory.ts';
import { openDictionary } from './dictionary.ts';
import type { ShardFile } from './format.ts';
import { groupOf } from './growing.ts';
import { openGroups } from './open-commits.ts';
import { openIndex } from './postings.ts';
import { openStrings } from './strings.ts';

/** The code file of a shard as a table. */
export function openCode(file: ShardFile): CodeTable {
  return { ...openFiles(file), ...openPassages(file), ...openSkipped(file) };
}

function openFiles(file: ShardFile) {
  const width = file.number('oidBytes');
  const paths = openDictionary(file, 'paths');
  const pathOf = file.u32('pathOf');
  const fileAt = file.u32('fileAt');
  const oids = file.u8('blobs.oids');
  const hex = Buffer.from(oids.buffer, oids.byteOffset, oids.byteLength);
  const blobOf = file.u32('blobOf');
  const lines = file.u32('blobs.lines');
  const passages = file.u32('blobs.passages');
  const languages = file.list('languages');
  const languageOf = file.u32('languageOf');
  const blob = (of: number) => blobOf[of]!;
  return {
    fileCount: pathOf.length,
    filePath: (of: number) => paths.get(pathOf[of]!),
    fileNumber: (path: string) => {
      const number = paths.find(path);
      return number === -1 ? -1 : fileAt[number]!;
    },
    fileBlob: (of: number) => hex.toString('hex', blob(of) * width, (blob(of) + 1) * width),
    fileLanguage: (of: number) => languages[languageOf[of]!]!,
    fileLines: (of: number) => lines[blob(of)]!,
    filePassages: (of: number) => {
      const first = passages[blob(of)]!;
      return { first, count: passages[blob(of) + 1]! - first };
    },
    paths: openIndex(file, 'path', 'terms'),
    files: openIndex(file, 'file', 'terms'),
  };
}

function openPassages(file: ShardFile) {
  const blobs = file.u32('passages.blobs');
  const files = openGroups(file, 'blobs.files');
  const starts = file.u32('passages.starts');
  const ends = file.u32('passages.ends');
  const symbolOf = file.u32('passages.symbols');
  const symbols = openStrings(file, 'symbols');
  const names = openDictionary(file, 'names');
  const defining = openGroups(file, 'defining');
  const fields = {
    body: openIndex(file, 'body', 'terms'),
    symbol: openIndex(file, 'symbol', 'terms'),
    prose: openIndex(file, 'prose', 'terms'),
  };
  return {
    passageCount: starts.length,
    passageFiles: (passage: number) => [...groupOf(files, blobs[passage]!)],
    passageLines: (passage: number) => ({ start: starts[passage]!, end: ends[passage]! }),
    passageSymbol: (passage: number) => {
      const symbol = symbolOf[passage]!;
      return symbol === 0 ? null : symbols.get(symbol - 1);
    },
    passagesDefining: (name: string) => {
      const number = names.find(name.toLowerCase());
      return number === -1 ? [] : [...groupOf(defining, number)];
    },
    field: (field: keyof typeof fields) => fields[field],
  };
}

function openSkipped(file: ShardFile) {
  const paths = openStrings(file, 'skipped.paths');
  const reasons = file.list('skipReasons') as SkipReason[];
  const reasonOf = file.u32('skipped.reasons');
  const sizes = file.f64('skipped.sizes');
  return {
    skippedCount: paths.count,
    skipped: (index: number) => {
      const size = sizes[index]!;
      return {
        path: paths.get(index),
        reason: reasons[reasonOf[index]!]!,
        size: Number.isNaN(size) ? null : size,
      };
    },
  };
}
