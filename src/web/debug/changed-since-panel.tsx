import type { ChangedSince } from '#contract/error-findings.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { CollapsibleHunk } from './collapsible-hunk.tsx';
import { CommitTitle } from './commit-title.tsx';
import { PanelFrame } from './panel-frame.tsx';

interface ChangedSinceProps {
  projectId: string;
  change: ChangedSince;
  /** Name of the region; by default that of a change after the version that failed. */
  label?: string;
}

/** The commit that changed the failing line, with its lines. */
export function ChangedSincePanel({ projectId, change, label }: ChangedSinceProps) {
  const { t } = useTranslation('debug');
  const now = useNow();
  const { hash, message, author, timestamp } = change.commit;
  return (
    <PanelFrame
      label={label ?? t('changed_since.title')}
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
