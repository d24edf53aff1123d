import type { ApiReply } from '#contract/api.ts';
import { commitAddress, fileAddress } from '../parts/citation.ts';

type Projects = ApiReply<'GET /projects'>;
type Found = ApiReply<'GET /search'>;

/** One line under the search box: where it leads, and what is found there. */
export interface Suggestion {
  to: string;
  text: string;
  /** Where it lies, such as the lines of a file; repository words, as is `text` in a group that says so. */
  place?: string;
}

/** Lines of one kind under a heading. */
export interface SuggestionGroup {
  kind: 'projects' | 'code' | 'commits';
  suggestions: Suggestion[];
}

const PROJECTS_SHOWN = 3;
const FOUND_SHOWN = 4;

/** The page with all results; the project chosen stays chosen. */
export function resultsAddress(q: string, projectId: string | null): string {
  const query = new URLSearchParams({ q });
  if (projectId !== null) query.set('project_id', projectId);
  return `/search?${query}`;
}

/** What fits the text: projects by name or address, then what the memory of one project has found. */
export function suggest(
  q: string,
  { projects, projectId, found }: { projects: Projects; projectId: string | null; found: Found | undefined },
): SuggestionGroup[] {
  const text = q.toLowerCase();
  const named = projects.filter(({ name, git_url }) => `${name}\n${git_url}`.toLowerCase().includes(text));
  const groups: SuggestionGroup[] = [
    {
      kind: 'projects',
      suggestions: named
        .slice(0, PROJECTS_SHOWN)
        .map(({ id, name, git_url }) => ({ to: `/projects/${id}`, text: name, place: git_url })),
    },
  ];
  if (found && projectId !== null) {
    groups.push(
      { kind: 'code', suggestions: found.passages.slice(0, FOUND_SHOWN).map(passageIn(projectId, found)) },
      {
        kind: 'commits',
        suggestions: found.commits.slice(0, FOUND_SHOWN).map(({ hash, message }) => ({
          to: commitAddress(projectId, hash),
          text: message.split('\n', 1)[0] || hash.slice(0, 7),
          place: hash.slice(0, 7),
        })),
      },
    );
  }
  return groups.filter(({ suggestions }) => suggestions.length > 0);
}

function passageIn(projectId: string, { commit }: Found) {
  return ({ path, start_line, end_line, symbol }: Found['passages'][number]): Suggestion => {
    const place = `${path}:${start_line}`;
    const to = fileAddress(projectId, path, { commit, from: start_line, to: end_line });
    return symbol ? { to, text: symbol, place } : { to, text: place };
  };
}
