import type { FixingCommit, TimelineStep } from '#contract/debug.ts';
import type { Investigation } from '#investigate/investigate.ts';
import { say } from '#investigate/sentences.ts';
import { shownSessions } from '#investigate/precedents/similar-sessions.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { commitRef } from '../commit-ref.ts';

/** The story of the error, oldest first: the line was born, was fixed before, a suspect changed it, was seen, now. */
export function buildTimeline(investigation: Investigation, memory: RepositoryIndex, now: string): TimelineStep[] {
  const { birth, precedents, suspects, sessions, confidence } = investigation;
  const [fix] = precedents;
  // Thin evidence names no suspect.
  const suspect = confidence.abstained ? undefined : suspects[0];
  const steps: TimelineStep[] = [];
  if (birth && birth.commit !== suspect?.commit) {
    steps.push({ kind: 'born', ...commitFields(investigation, memory, birth), path: birth.path });
  }
  const resolved = shownSessions(sessions).find(({ session }) => session.fix);
  if (resolved?.session.fix) steps.push(resolutionStep(resolved.session.fix, resolved.similarity));
  else if (fix && fix.commit !== suspect?.commit) {
    const { held, path, hunk } = fix;
    steps.push({ kind: 'fixed_before', ...commitFields(investigation, memory, fix), outcome: held, path, hunk });
  }
  if (suspect) {
    const { path, hunk } = suspect;
    steps.push({ kind: 'suspect', ...commitFields(investigation, memory, suspect), path, hunk });
  }
  const seen = sessions.toSorted((a, b) => a.session.seenAt.localeCompare(b.session.seenAt))[0];
  if (seen) {
    const why = say(seen.similarity === 1 ? 'debug.why.first_seen' : 'debug.why.alike_seen');
    steps.push({ kind: 'first_seen', timestamp: seen.session.seenAt, commit: null, why, evidence: [] });
  }
  return [...steps.sort((a, b) => a.timestamp.localeCompare(b.timestamp)), currentStep(investigation, now)];
}

/** What resolved the same error, or one like it, before: a member said so. */
function resolutionStep({ path, hunk, ...commit }: FixingCommit, similarity: number): TimelineStep {
  const why = say(similarity === 1 ? 'debug.why.solved_before' : 'debug.why.solved_alike');
  return { kind: 'fixed_before', timestamp: commit.timestamp, commit, why, path, hunk, evidence: [] };
}

function commitFields(
  { evidenceOf }: Investigation,
  memory: RepositoryIndex,
  finding:
    | Investigation['suspects'][number]
    | Investigation['precedents'][number]
    | NonNullable<Investigation['birth']>,
) {
  const commit = commitRef(memory, finding.commit);
  const id = evidenceOf.get(finding);
  return { timestamp: commit.timestamp, commit, why: finding.why, evidence: id ? [id] : [] };
}

function currentStep({ places, patch, evidenceOf }: Investigation, now: string): TimelineStep {
  const [place] = places;
  if (!place) {
    return { kind: 'now', timestamp: now, commit: null, why: say('debug.why.now_nowhere'), evidence: [] };
  }
  const evidence = [place, patch].flatMap((finding) => (finding ? (evidenceOf.get(finding) ?? []) : []));
  const { path, start, end } = place;
  return {
    kind: 'now',
    timestamp: now,
    commit: null,
    why: say('debug.why.now', { path }),
    path,
    lines: [start, end],
    evidence,
  };
}
