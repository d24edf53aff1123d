import type { CodeTable, CommitTable, FieldIndex, RepositoryIndex } from './repository-index.ts';

/**
 * Dumps an index for comparison in tests, document by document. Numbers of paths in the history, which may differ, are
 * replaced by the paths. `vocabulary` lists the terms to look up.
 */
export function dump({ revision, commits, code }: RepositoryIndex, vocabulary: readonly string[]) {
  return { revision, ...dumpCommits(commits, vocabulary), ...(code && dumpCode(code, vocabulary)) };
}

const range = (count: number) => Array.from({ length: count }, (_, number) => number);

function dumpCommits(commits: CommitTable, vocabulary: readonly string[]) {
  const named = (paths: Uint32Array) => [...paths].map(commits.path);
  const touched = range(commits.pathCount).filter((path) => commits.touching(path).length > 0);
  return {
    commits: range(commits.count).map((commit) => ({
      oid: commits.oid(commit),
      found: [commits.find(commits.oid(commit)), commits.find(commits.oid(commit).slice(0, 10))],
      time: commits.time(commit),
      who: [commits.author(commit), commits.email(commit)],
      text: [commits.subject(commit), commits.message(commit)],
      parents: commits.parents(commit),
      changes: [named(commits.paths(commit)), named(commits.oldPaths(commit)), commits.statuses(commit)],
    })),
    touching: Object.fromEntries(
      touched.map((path) => [
        commits.path(path),
        [...commits.touching(commits.pathNumber(commits.path(path)))],
      ]),
    ),
    messages: dumpField(commits.messages, vocabulary),
  };
}

function dumpCode(code: CodeTable, vocabulary: readonly string[]) {
  const passages = range(code.passageCount).map((passage) => ({
    lines: code.passageLines(passage),
    symbol: code.passageSymbol(passage),
    files: code.passageFiles(passage),
  }));
  const symbols = new Set(passages.flatMap(({ symbol }) => symbol ?? []));
  return {
    files: range(code.fileCount).map((file) => ({
      path: code.filePath(file),
      number: code.fileNumber(code.filePath(file)),
      blob: code.fileBlob(file),
      language: code.fileLanguage(file),
      lines: code.fileLines(file),
      passages: code.filePassages(file),
    })),
    passages,
    defining: Object.fromEntries([...symbols].map((symbol) => [symbol, code.passagesDefining(symbol)])),
    fields: (['body', 'symbol', 'prose'] as const).map((field) => dumpField(code.field(field), vocabulary)),
    paths: dumpField(code.paths, vocabulary),
    wholeFiles: dumpField(code.files, vocabulary),
    skipped: range(code.skippedCount).map(code.skipped),
  };
}

function dumpField({ count, averageLength, lengths, postings }: FieldIndex, vocabulary: readonly string[]) {
  const found = vocabulary.map((term) => {
    // Copied since the next term overwrites them.
    const { docs, counts } = postings(term) ?? { docs: [], counts: [] };
    return [term, [...docs], [...counts]];
  });
  return { count, averageLength, lengths: [...lengths], postings: found };
}
