import type { ChangedSince } from '#contract/error-findings.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { CollapsibleHunk } from './collapsible-hunk.tsx';
import { CommitTitle } from './commit-title.tsx';
import { PanelFrame } from './panel-frame.tsx';

/** The commit that changed the failing line after the version that failed, or after the revision of the answer, with its lines. */
export function ChangedSincePanel({
  projectId,
  change,
  isLater = false,
}: {
  projectId: string;
  change: ChangedSince;
  isLater?: boolean;
}) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const { hash, message, author, timestamp } = change.commit;
  return (
    <PanelFrame
      label={t(isLater ? 'changed_later.title' : 'changed_since.title')}
      title={<CommitTitle projectId={projectId} hash={hash} message={message} />}
      aside={
        <>
          <Verbatim text={author} />, <TimeAgo timestamp={timestamp} now={now} />
        </>
      }
    >
      <div className="py-1">
        <CollapsibleHunk hunk={change.hunk} path={change.path} timestamp={timestamp} now={now} />
      </div>
    </PanelFrame>
  );
}
