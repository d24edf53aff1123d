import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { PAGE_SIZE } from './searchable-list.tsx';

interface PageButtonsProps {
  skip: number;
  hasMore: boolean;
  onSkip: (skip: number) => void;
}

/** Leads to newer and older entries of a log; nothing where all are on one page. */
export function PageButtons({ skip, hasMore, onSkip }: PageButtonsProps) {
  const { t } = useTranslation('admin');
  if (skip === 0 && !hasMore) return null;
  return (
    <div className="mt-3 flex gap-2">
      <Button disabled={skip === 0} onClick={() => onSkip(Math.max(0, skip - PAGE_SIZE))}>
        {t('newer')}
      </Button>
      <Button disabled={!hasMore} onClick={() => onSkip(skip + PAGE_SIZE)}>
        {t('older')}
      </Button>
    </div>
  );
}
