import type { ErrorGroup } from '#contract/error-groups.ts';
import { PLANS } from '#contract/plans.ts';
import type { Commit, FileDiff } from '#contract/projects.ts';
import { AgeBar, TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { IssueOrigins } from '../parts/commit-issues.tsx';
import { CommitRefs, CommitRow } from '../parts/commit-row.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { ErrorRow } from '../parts/error-row.tsx';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { FileDiffView } from '../parts/file-diff-view.tsx';
import { HiddenLines } from '../parts/hidden-lines.tsx';
import { HostLink } from '../parts/host-link.tsx';
import { HunkFrame } from '../parts/hunk-frame.tsx';
import { IndexFreshnessLine } from '../parts/index-freshness-line.tsx';
import { IssueMark } from '../parts/issue-mark.tsx';
import { LinkedText } from '../parts/linked-text.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { PasswordStrengthHint } from '../parts/password-strength-hint.tsx';
import { PlanLimits } from '../parts/plan-limits.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { useNow } from '../parts/use-now.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Section } from '../ui/section.tsx';
import { Examples, Specimen } from './specimen.tsx';

const AT = '2021-11-16T23:58:17Z';
const HASH = '9dd0e7afdb6d022e18add1e009c4e3a66258c1fa';
const COMMIT: Commit = {
  id: HASH,
  hash: HASH,
  message: 'Fix handling of undefined in res.jsonp',
  author: 'Douglas Christopher Wilson',
  timestamp: AT,
  files_changed: ['History.md', 'lib/response.js', 'test/res.jsonp.js'],
  refs: [{ kind: 'tag', name: '4.17.2' }],
};
const FILE: FileDiff = {
  old_path: 'lib/response.js',
  new_path: 'lib/response.js',
  binary: false,
  truncated: false,
  hunks: [
    {
      old_start: 1130,
      old_lines: 2,
      new_start: 1130,
      new_lines: 2,
      header: '',
      lines: [
        { kind: 'delete', text: '  if (escape) {' },
        { kind: 'add', text: "  if (escape && typeof json === 'string') {" },
        { kind: 'context', text: '    json = json.replace(/[<>&]/g, function (c) {' },
      ],
    },
  ],
};
const ERROR: ErrorGroup = {
  id: '1',
  project_id: '1',
  project_name: 'express',
  title: "TypeError: Cannot read properties of undefined (reading 'replace')",
  kind: 'regression',
  state: 'regressed',
  state_changed_at: null,
  count: 12,
  first_seen: AT,
  last_seen: AT,
  session_id: '1',
  ...{
    investigation: 'done' as const,
    assignee: null,
    solved_in: null,
    solved_after: null,
    snooze: null,
    culprit: null,
    level: null,
  },
  ...{ event_count: 0, first_release: null, last_release: null },
  weeks: [0, 1, 0, 4, 7],
  fix_suggested: true,
};
const MARKDOWN =
  'Set by `res.json` in `lib/response.js:1131`, see `9dd0e7a`:\n\n- **bold**\n\n> quote\n\n```js\njson.replace(/[<>&]/g)\n```';
const NO_REFERENCES = new Map();

/** Code, commits, errors and texts of a repository. */
export function ContentSpecimens() {
  const now = useNow();
  return (
    <EvidenceProvider projectId="">
      <Specimen name="HunkFrame, DiffView" rule="cause: an edge, never a ground">
        {[false, true].map((cause) => (
          <HunkFrame key={String(cause)} cause={cause} title={FILE.new_path} aside="aside" className="w-full">
            <DiffView hunk={FILE.hunks[0]!} path={FILE.new_path} timestamp={AT} now={now} split={cause} />
          </HunkFrame>
        ))}
      </Specimen>
      <Specimen name="FileDiffView, HiddenLines">
        <div className="w-full">
          <FileDiffView file={FILE} timestamp={AT} />
        </div>
        <div className="w-full border border-border">
          <HiddenLines
            gap={{ from: 1, to: 34, offset: 0 }}
            source={{ projectId: '', path: '', revision: HASH }}
            section="res.jsonp = function jsonp(obj) {"
          >
            {() => null}
          </HiddenLines>
        </div>
      </Specimen>
      <Specimen name="CommitRow, CommitRefs, ErrorRow">
        <ol className="w-full border-t border-border">
          <CommitRow projectId="" commit={COMMIT} now={now} />
        </ol>
        <CommitRefs refs={COMMIT.refs ?? []} />
        <div className="w-full">
          <ErrorRow error={ERROR} />
        </div>
      </Specimen>
      <Specimen name="HostLink">
        <HostLink
          gitUrl="https://github.com/expressjs/express"
          url="https://github.com/expressjs/express/commit/9dd0e7a"
        />
      </Specimen>
      <Specimen name="CitationChip, IndexFreshnessLine, CopyButton">
        <Examples>
          <CitationChip projectId="" citation={{ kind: 'commit', hash: HASH }} />
          <CitationChip
            projectId=""
            citation={{ kind: 'file', path: 'lib/response.js', from: 1131, to: 1131, commit: HASH }}
          />
          <CopyButton text="copied" />
          <CopyButton text="copied" kind="plain" label="label" />
        </Examples>
        {[0, 3, null].map((behind) => (
          <IndexFreshnessLine
            key={behind}
            projectId=""
            freshness={{ commit: HASH, branch: 'master', behind, fetched_at: AT }}
          />
        ))}
      </Specimen>
      <IssueSpecimen />
      <TextSpecimens now={now} />
    </EvidenceProvider>
  );
}

const ISSUE = {
  ...{
    kind: 'issue' as const,
    number: 4759,
    title: 'res.jsonp fails on undefined',
    source: 'message' as const,
  },
  url: 'https://github.com/expressjs/express/issues/4759',
};

function IssueSpecimen() {
  return (
    <Specimen name="IssueMark, IssueOrigins, LinkedText">
      <Examples>
        <IssueMark state="open" isNamed />
        <IssueMark state="closed" isNamed />
        <IssueMark state="merged" isNamed />
      </Examples>
      <IssueOrigins projectId="" issues={[{ ...ISSUE, state: 'closed' }]} />
      <p>
        <LinkedText gitUrl="https://github.com/expressjs/express" text="Fixes #4759, see 9dd0e7afdb6d" />
      </p>
    </Specimen>
  );
}

function TextSpecimens({ now }: { now: number }) {
  return (
    <>
      <Specimen name="MarkdownView, CodeSpans">
        <div className="w-full">
          <MarkdownView text={MARKDOWN} projectId="" references={NO_REFERENCES} />
        </div>
        <p>
          <CodeSpans text="`lib/response.js:1131` fails." />
        </p>
      </Specimen>
      <Specimen name="AgeBar, TimeAgo, RelativeTime">
        <Examples>
          <AgeBar timestamp={AT} now={now} />
          <TimeAgo timestamp={AT} now={now} />
          <RelativeTime at={AT} />
          <RelativeTime at="" />
        </Examples>
      </Specimen>
      <Specimen name="PasswordStrengthHint, PlanLimits">
        {['short', 'a quiet harbour at dawn'].map((password) => (
          <PasswordStrengthHint key={password} password={password} />
        ))}
        {PLANS.map(({ value, limits }) => (
          <PlanLimits key={value} limits={limits} />
        ))}
      </Specimen>
      <Specimen name="Section">
        <Section title="title" lead="lead">
          children
        </Section>
      </Specimen>
    </>
  );
}
