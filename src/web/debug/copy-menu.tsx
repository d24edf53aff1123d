import { ChevronDown } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { CopyButton, writeClipboard } from '../parts/copy-button.tsx';
import { LazyMenu } from '../parts/lazy-menu.tsx';
import { useToast } from '../ui/toast.tsx';

interface CopyMenuProps {
  label: string;
  text: string;
  /** Further texts, each under its label. */
  others: Record<string, string>;
}

/** Button that copies a text, with a menu of further texts. */
export function CopyMenu({ label, text, others }: CopyMenuProps) {
  const { t } = useTranslation(['debug', 'parts']);
  const toast = useToast();
  const copy = async (other: string) => {
    await writeClipboard(other);
    toast(t('parts:copied'));
  };
  const more = {
    label: t('actions.copy_more'),
    className: '-ml-px rounded-l-none px-2',
    trigger: <ChevronDown aria-hidden className="size-4" />,
  };
  return (
    <span className="inline-flex">
      <CopyButton kind="plain" className="rounded-r-none" label={label} text={text} />
      <LazyMenu
        {...more}
        kind="plain"
        items={Object.entries(others).map(([label, text]) => ({ label, onSelect: () => void copy(text) }))}
      />
    </span>
  );
}
