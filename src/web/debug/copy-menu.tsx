import { ChevronDown, Copy } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { writeClipboard } from '../parts/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';

const Menu = lazyComponent(() => import('../ui/menu.tsx').then((module) => module.Menu));

/** Button with a menu of texts to copy, each under its label. */
export function CopyMenu({ texts }: { texts: Record<string, string> }) {
  const { t } = useTranslation('parts');
  const toast = useToast();
  const copy = async (text: string) => {
    await writeClipboard(text);
    toast(t('copied'));
  };
  const face = (
    <>
      <Copy aria-hidden className="size-3.5" />
      {t('copy')}
      <ChevronDown aria-hidden className="size-3.5" />
    </>
  );
  return (
    <Suspense fallback={<Button>{face}</Button>}>
      <Menu
        label={t('copy')}
        kind="plain"
        trigger={face}
        items={Object.entries(texts).map(([label, text]) => ({ label, onSelect: () => void copy(text) }))}
      />
    </Suspense>
  );
}
