import type { FixingCommit, TimelineStep } from '#contract/debug.ts';
import { createSentence } from '#contract/sentence.ts';
import { selectShownSessions } from '#investigate/fixes/similar-sessions.ts';
import type { Investigation } from '#investigate/investigate.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { commitRef } from '../answer/commit-ref.ts';
import { isPlaceStated } from './error-claims.ts';
import { suspectHunk } from './hunk-at-line.ts';

/** Timeline of the error, oldest first: introduced, fixed before, changed by the suspect, first seen, now. */
export function buildTimeline(
  investigation: Investigation,
  index: RepositoryIndex,
  now: string,
): TimelineStep[] {
  const { kind, introduction, precedents, sessions } = investigation;
  // The history explains a defect; of other errors it is no evidence.
  const [fix] = kind === 'regression' ? precedents : [];
  const [suspect] = investigation.accused;
  const steps: TimelineStep[] = [];
  if (introduction && isPlaceStated(investigation) && introduction.commit !== suspect?.commit) {
    steps.push({
      kind: 'introduced',
      ...commitFields(investigation, index, introduction),
      path: introduction.path,
    });
  }
  const resolved = selectShownSessions(sessions).find(({ session }) => session.fix);
  if (resolved?.session.fix) steps.push(resolutionStep(resolved.session.fix, resolved.similarity));
  else if (fix && fix.commit !== suspect?.commit) {
    const { outcome, path, hunk } = fix;
    steps.push({ kind: 'fixed_before', ...commitFields(investigation, index, fix), outcome, path, hunk });
  }
  if (suspect) {
    const hunk = suspectHunk(suspect);
    const fields = commitFields(investigation, index, suspect);
    steps.push({ kind: 'suspect', ...fields, path: suspect.path, hunk });
  }
  const seen = sessions.toSorted((a, b) => a.session.seenAt.localeCompare(b.session.seenAt))[0];
  if (seen) {
    const why = createSentence(seen.similarity === 1 ? 'debug.why.first_seen' : 'debug.why.similar_seen');
    steps.push({ kind: 'first_seen', timestamp: seen.session.seenAt, commit: null, why, evidence: [] });
  }
  return [...steps.sort((a, b) => a.timestamp.localeCompare(b.timestamp)), currentStep(investigation, now)];
}

/** Commit that resolved the same or a similar error, confirmed by a member. */
function resolutionStep({ path, hunk, ...commit }: FixingCommit, similarity: number): TimelineStep {
  const why = createSentence(similarity === 1 ? 'debug.why.resolved_before' : 'debug.why.resolved_similar');
  return { kind: 'fixed_before', timestamp: commit.timestamp, commit, why, path, hunk, evidence: [] };
}

function commitFields(
  { evidenceOf }: Investigation,
  index: RepositoryIndex,
  finding:
    | Investigation['accused'][number]
    | Investigation['precedents'][number]
    | NonNullable<Investigation['introduction']>,
) {
  const commit = commitRef(index, finding.commit);
  const id = evidenceOf.get(finding);
  return { timestamp: commit.timestamp, commit, why: finding.why, evidence: id ? [id] : [] };
}

function currentStep(investigation: Investigation, now: string): TimelineStep {
  const { places, patch, evidenceOf, kindEvidence } = investigation;
  const [place] = kindEvidence.isForeign ? [] : places;
  if (!place) {
    return {
      kind: 'now',
      timestamp: now,
      commit: null,
      why: createSentence('debug.why.now_unlocated'),
      evidence: [],
    };
  }
  const evidence = [place, patch].flatMap((finding) => (finding ? (evidenceOf.get(finding) ?? []) : []));
  const { path, start, end } = place;
  return {
    kind: 'now',
    timestamp: now,
    commit: null,
    why: createSentence('debug.why.now', { path }),
    path,
    lines: [start, end],
    evidence,
  };
}
