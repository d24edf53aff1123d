import { type ComponentProps, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { DiffView } from '../parts/diff-view.tsx';
import { trimHunk } from '../parts/trim-hunk.ts';
import { Button } from '../ui/button.tsx';

const MAX_COLLAPSED_LINES = 10;

/** A hunk around its changes; longer ones are shown whole on demand. */
export function CollapsibleHunk({ hunk, ...shown }: ComponentProps<typeof DiffView>) {
  const { t } = useTranslation('debug');
  const [expanded, setExpanded] = useState(false);
  const trimmed = trimHunk(hunk);
  const collapsed = { ...trimmed, lines: trimmed.lines.slice(0, MAX_COLLAPSED_LINES) };
  return (
    <>
      <DiffView {...shown} hunk={expanded ? hunk : collapsed} />
      {hunk.lines.length > collapsed.lines.length && (
        <Button
          kind="ghost"
          size="small"
          aria-expanded={expanded}
          className="my-1 ml-1 font-sans text-sm"
          onClick={() => setExpanded(!expanded)}
        >
          {t(expanded ? 'show_less' : 'code.whole_hunk')}
        </Button>
      )}
    </>
  );
}
