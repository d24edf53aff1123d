import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isResolvable, parseCitation, parseCitations, strikeThrough } from '../answer/citations.ts';
import type { ErrorAnswer } from './answer-error.ts';
import type { ModelReply } from './model-reply.ts';

const EVIDENCE_ID = /\[(e\d{1,4})\]/g;
const CODE_SPAN = /`([^`\n]{7,64})`/g;

/** True when a reply refers to evidence of the answer, or cites lines or a commit that exist. */
export async function isSupported(
  { rootCause, fix, citations }: ModelReply,
  { found, repo, index }: { found: ErrorAnswer; repo: string; index: RepositoryIndex },
): Promise<boolean> {
  const ids = new Set(found.evidence.map(({ id }) => id));
  const text = `${rootCause}\n${fix}`;
  if (Array.from(text.matchAll(EVIDENCE_ID), ([, id]) => id!).some((id) => ids.has(id))) return true;
  const listed = citations.map((one) => parseCitation(one.replaceAll('`', '').trim()));
  const cited = [...parseCitations(text), ...listed.filter((citation) => citation !== null)];
  const resolves = await Promise.all(cited.map((citation) => isResolvable(citation, { repo, index })));
  return resolves.includes(true);
}

/** Strikes out commits that no evidence names: that a commit exists does not connect it with the error. */
export function strikeOtherCommits(text: string, found: ErrorAnswer): string {
  const known = [
    found.indexed_commit,
    found.guard?.commit?.hash,
    ...found.evidence.map(({ commit }) => commit),
    ...found.timeline.map(({ commit }) => commit?.hash),
    ...[...found.suspect_commits, ...(found.related_commits ?? [])].map(({ hash }) => hash),
    ...found.context.similar_errors.map(({ hash }) => hash),
  ];
  return text.replace(CODE_SPAN, (whole, span: string) => {
    const citation = parseCitation(span);
    if (citation?.kind !== 'commit') return whole;
    return known.some((hash) => hash?.startsWith(citation.hash)) ? whole : strikeThrough(span);
  });
}
