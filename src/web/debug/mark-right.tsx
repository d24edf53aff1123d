import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import type { Session } from './answer.tsx';
import { useLabel } from './use-label.ts';

interface MarkRightProps {
  session: Session;
  /** The commit or the place that may have been right. */
  target: { commit: string } | { path: string; line: number };
}

/** “It was this one”: marks a suspect or a place as right; later confidences in places are fitted with it. */
export function MarkRight({ session, target }: MarkRightProps) {
  const { t } = useTranslation('debug');
  const label = useLabel(session);
  const isCommit = 'commit' in target;
  const isRight = isCommit ? label.isRightCommit(target.commit) : label.isRightPlace(target.path);
  return (
    <Button
      kind="ghost"
      size="small"
      aria-pressed={isRight}
      title={label.error?.message ?? (isCommit ? undefined : t('label.hint'))}
      className={clsx('gap-1 px-1.5 text-sm', isRight ? 'text-success' : 'text-muted')}
      onClick={() => (isCommit ? label.markCommit(target.commit) : label.markPlace(target.path, target.line))}
    >
      <Check aria-hidden className="size-3.5" />
      {t(label.error ? 'label.failed' : 'label.mark')}
    </Button>
  );
}
