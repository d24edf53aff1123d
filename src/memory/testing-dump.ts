import type { CodeTable, CommitTable, FieldIndex, Memory } from './repository-index.ts';

/**
 * For tests: all that a memory tells, so that two can be compared, document by document. Only the numbers of paths
 * in the history are replaced by the paths, for those may differ. `vocabulary` are the terms to look up.
 */
export function tell({ revision, commits, code }: Memory, vocabulary: readonly string[]) {
  return { revision, ...tellCommits(commits, vocabulary), ...(code && tellCode(code, vocabulary)) };
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

function tellCommits(commits: CommitTable, vocabulary: readonly string[]) {
  const named = (paths: Uint32Array) => [...paths].map(commits.path);
  const touched = upTo(commits.pathCount).filter((path) => commits.touching(path).length > 0);
  return {
    commits: upTo(commits.count).map((commit) => ({
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
    messages: tellField(commits.messages, vocabulary),
  };
}

function tellCode(code: CodeTable, vocabulary: readonly string[]) {
  const passages = upTo(code.passageCount).map((passage) => ({
    lines: code.passageLines(passage),
    symbol: code.passageSymbol(passage),
    files: code.passageFiles(passage),
  }));
  const symbols = new Set(passages.flatMap(({ symbol }) => symbol ?? []));
  return {
    files: upTo(code.fileCount).map((file) => ({
      path: code.filePath(file),
      number: code.fileNumber(code.filePath(file)),
      blob: code.fileBlob(file),
      language: code.fileLanguage(file),
      lines: code.fileLines(file),
      passages: code.filePassages(file),
    })),
    passages,
    defining: Object.fromEntries([...symbols].map((symbol) => [symbol, code.passagesDefining(symbol)])),
    fields: (['body', 'symbol', 'prose'] as const).map((field) => tellField(code.field(field), vocabulary)),
    paths: tellField(code.paths, vocabulary),
    wholeFiles: tellField(code.files, vocabulary),
    skipped: upTo(code.skippedCount).map(code.skipped),
  };
}

function tellField({ count, averageLength, lengths, postings }: FieldIndex, vocabulary: readonly string[]) {
  const found = vocabulary.map((term) => {
    // Copied at once: the next term overwrites them.
    const { docs, counts } = postings(term) ?? { docs: [], counts: [] };
    return [term, [...docs], [...counts]];
  });
  return { count, averageLength, lengths: [...lengths], postings: found };
}
