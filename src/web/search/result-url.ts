import type { ScopedProject, SearchResult } from '#contract/search-results.ts';
import { commitUrl, fileUrl, issueUrl } from '../parts/citation.ts';

/** Address of a result; of code, symbols and files at the commit that was searched. */
export function resultUrl(result: SearchResult, projects: readonly ScopedProject[]): string {
  const commit = projects.find(({ id }) => id === result.project_id)?.commit ?? null;
  switch (result.kind) {
    case 'code':
      return fileUrl(result.project_id, result.path, { commit, from: result.line });
    case 'symbol':
      return fileUrl(result.project_id, result.path, { commit, from: result.line, to: result.to_line });
    case 'file':
      return fileUrl(result.project_id, result.path, { commit });
    case 'commit':
    case 'change':
      return commitUrl(result.project_id, result.hash);
    case 'issue':
      return issueUrl(result.project_id, { number: result.number, kind: result.issue_kind });
    case 'error':
      return `/debug/${result.session_id}`;
    case 'chat':
      return `/projects/${result.project_id}/chat?thread=${result.thread_id}`;
  }
}

/** Identity of a result within a page. */
export function resultKey(result: SearchResult): string {
  switch (result.kind) {
    case 'code':
    case 'file':
      return `${result.project_id}/${result.path}`;
    case 'symbol':
      return `${result.project_id}/${result.path}:${result.line}:${result.name}`;
    case 'commit':
      return `${result.project_id}/${result.hash}`;
    case 'change':
      return `${result.project_id}/${result.hash}:${result.new_path ?? result.old_path}`;
    case 'issue':
      return `${result.project_id}/${result.issue_kind}/${result.number}`;
    case 'error':
      return result.session_id;
    case 'chat':
      return result.thread_id;
  }
}
