import type { Selectable } from 'kysely';
import type { PushedCommit } from '#contract/branch-fields.ts';
import type { CodeHostKind } from '#contract/code-hosts.ts';
import { firstLine } from '#contract/first-line.ts';
import type { Impact } from '#contract/impact.ts';
import type { PatchProof, ProvenCommit } from '#contract/proofs.ts';
import type { DebugSessionsTable } from '#db/debug-tables.ts';
import type { HostRepository } from '../code-hosts/host-url.ts';

/** Input of a drafted title and body. */
interface DraftSource {
  /** The error that is fixed; null for a branch that is not about one. */
  session: Pick<Selectable<DebugSessionsTable>, 'id' | 'title' | 'answer' | 'request'> | null;
  /** The commit that a proof shows to have introduced the error. */
  proven?: ProvenCommit | null;
  /** The verification of exactly the branch's content. */
  verified?: PatchProof | null;
  /** Commits of the branch, newest first. */
  commits: readonly PushedCommit[];
  /** Impact of the branch; null where it could not be found in time. */
  impact?: Pick<Impact, 'caller_count' | 'callers' | 'tests'> | null;
  /** URL of this server. */
  publicUrl: string;
  host: { kind: CodeHostKind | null; repository: HostRepository };
}

const MAX_TITLE = 120;
const MAX_ERROR_LINES = 40;
const MAX_ERROR_LENGTH = 4000;
const MAX_EVIDENCE = 8;
const MAX_CALLERS = 5;
const MAX_TESTS = 5;

/** Title and description of a pull request, in English, the language of commit messages. */
export function draftPullRequest(source: DraftSource): { title: string; body: string } {
  const { session, commits } = source;
  const [only] = commits;
  const subject = commits.length === 1 ? only!.message : null;
  const title = subject ?? (session ? `Fix ${firstLine(session.title)}` : (only?.message ?? ''));
  const parts = [
    ...(session ? [errorPart(session), causePart(session, source), evidencePart(session, source)] : []),
    changePart(commits),
    impactPart(source.impact ?? null),
    verificationPart(source.verified ?? null),
    session ? `Investigated with [Hindsight](${source.publicUrl}/debug/${session.id}).` : null,
  ];
  return {
    title: title.slice(0, MAX_TITLE),
    body: `${parts.filter((part) => part !== null).join('\n\n')}\n`,
  };
}

type Session = NonNullable<DraftSource['session']>;

function errorPart({ request }: Session): string {
  const text = String((request as { error_message?: unknown }).error_message ?? '').slice(
    0,
    MAX_ERROR_LENGTH,
  );
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, MAX_ERROR_LINES);
  if (lines.length > shown.length) shown.push('…');
  // Longer than every run of backticks in the text.
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return ['## Error', '', fence, ...shown, fence].join('\n');
}

function causePart({ answer }: Session, source: DraftSource): string | null {
  const { root_cause, suspect_commits, cause_confidence } = answer;
  const { proven } = source;
  if (proven) {
    const { hash, message } = proven.commit;
    const cause = answer.abstained || !root_cause ? '' : `${root_cause.text}\n\n`;
    return `## Cause\n\n${cause}Introduced by ${commitLink(hash, source)} (${plain(firstLine(message))}), proven by running ${code(proven.command)}.`;
  }
  if (answer.abstained || !root_cause) return null;
  const [suspect] = suspect_commits;
  const isAccused = suspect && cause_confidence !== null && cause_confidence !== undefined;
  const introduced = isAccused
    ? `\n\nLikely introduced by ${commitLink(suspect.hash, source)} (${plain(firstLine(suspect.message))}).`
    : '';
  return `## Cause\n\n${root_cause.text}${introduced}`;
}

function evidencePart({ answer }: Session, source: DraftSource): string | null {
  const rows = answer.evidence
    .filter(({ path, commit }) => path !== undefined || commit !== undefined)
    .slice(0, MAX_EVIDENCE)
    .map(({ path, lines, commit, why }) => {
      const place = path && `\`${path}${lines ? `:${lines[0]}` : ''}\``;
      const at = commit && commitLink(commit, source);
      return `- ${[place, at].filter(Boolean).join(' @ ')}: ${why.text}`;
    });
  return rows.length === 0 ? null : ['## Evidence', '', ...rows].join('\n');
}

function changePart(commits: readonly PushedCommit[]): string | null {
  if (commits.length === 0) return null;
  const rows = commits.toReversed().map(({ hash, message }) => `- ${plain(message)} (${hash.slice(0, 7)})`);
  return ['## Change', '', ...rows].join('\n');
}

/** Callers outside of tests that are sure, and tests; null where there are none. */
function impactPart(impact: DraftSource['impact'] | null): string | null {
  if (!impact) return null;
  const callers = impact.callers.filter(({ guessed }) => !guessed).slice(0, MAX_CALLERS);
  const tests = impact.tests.slice(0, MAX_TESTS);
  if (callers.length === 0 && tests.length === 0) return null;
  const rows = [
    ...callers.map(({ path, line, uses }) => `- ${code(`${path}:${line}`)} uses ${code(uses)}`),
    ...tests.map(({ path }) => `- Test: ${code(path)}`),
  ];
  return ['## Impact', '', ...rows].join('\n');
}

function commitLink(hash: string, { host: { kind, repository } }: DraftSource): string {
  const name = `\`${hash.slice(0, 7)}\``;
  if (kind === null) return name;
  const { origin, path } = repository;
  return `[${name}](${origin}/${path}/${kind === 'gitlab' ? '-/' : ''}commit/${hash})`;
}

/** Commands that verified the change; null for one that was not verified as it is. */
function verificationPart(verified: PatchProof | null): string | null {
  if (verified === null) return null;
  const wider = verified.check === null ? '' : ` ${code(verified.check)} fails in no further test.`;
  return `## Verified\n\n${code(verified.command)} fails without this change and passes with it.${wider}`;
}

/** A command as Markdown code, with a fence longer than every run of backticks in it. */
function code(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Text of a commit without what Markdown or a host would read in it, such as mentions. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>#]/g, '\\$&').replaceAll('@', '@\u200b');
}
