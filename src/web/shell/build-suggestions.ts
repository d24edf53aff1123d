import type { ApiReply } from '#contract/api.ts';
import { firstLine } from '#contract/first-line.ts';
import { commitUrl, fileUrl } from '../parts/citation.ts';

type Projects = ApiReply<'GET /projects'>;
type SearchReply = ApiReply<'GET /search'>;

/** A suggestion of the search box. */
export interface Suggestion {
  to: string;
  text: string;
  /** Location, such as the line of a file. */
  detail?: string;
}

/** Suggestions of one kind. */
export interface SuggestionGroup {
  kind: 'projects' | 'code' | 'commits';
  suggestions: Suggestion[];
}

const MAX_PROJECTS = 3;
const MAX_RESULTS_PER_GROUP = 4;

/** URL of the search page, with the selected project. */
export function searchUrl(q: string, projectId: string | null): string {
  const query = new URLSearchParams({ q });
  if (projectId !== null) query.set('project_id', projectId);
  return `/search?${query}`;
}

/** Suggestions for a text: projects by name or URL, then results of one project. */
export function buildSuggestions(
  q: string,
  {
    projects,
    projectId,
    found,
  }: { projects: Projects; projectId: string | null; found: SearchReply | undefined },
): SuggestionGroup[] {
  const text = q.toLowerCase();
  const matching = projects.filter(({ name, git_url }) => `${name}\n${git_url}`.toLowerCase().includes(text));
  const groups: SuggestionGroup[] = [
    {
      kind: 'projects',
      suggestions: matching
        .slice(0, MAX_PROJECTS)
        .map(({ id, name, git_url }) => ({ to: `/projects/${id}`, text: name, detail: git_url })),
    },
  ];
  if (found && projectId !== null) {
    groups.push(
      {
        kind: 'code',
        suggestions: found.passages.slice(0, MAX_RESULTS_PER_GROUP).map(toSuggestion(projectId, found)),
      },
      {
        kind: 'commits',
        suggestions: found.commits.slice(0, MAX_RESULTS_PER_GROUP).map(({ hash, message }) => ({
          to: commitUrl(projectId, hash),
          text: firstLine(message) || hash.slice(0, 7),
          detail: hash.slice(0, 7),
        })),
      },
    );
  }
  return groups.filter(({ suggestions }) => suggestions.length > 0);
}

function toSuggestion(projectId: string, { commit }: SearchReply) {
  return ({ path, start_line, end_line, symbol }: SearchReply['passages'][number]): Suggestion => {
    const place = `${path}:${start_line}`;
    const to = fileUrl(projectId, path, { commit, from: start_line, to: end_line });
    return symbol ? { to, text: symbol, detail: place } : { to, text: place };
  };
}
