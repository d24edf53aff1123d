import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';

const COPIED_INDICATOR_MS = 2_000;

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation('parts');
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_INDICATOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await writeClipboard(text);
    setCopied(true);
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button
      kind="ghost"
      size="small"
      className="gap-1.5 font-sans text-sm text-muted"
      onClick={() => void copy()}
    >
      <Icon aria-hidden className="size-3.5" />
      <span aria-live="polite">{copied ? t('copied') : (label ?? t('copy'))}</span>
    </Button>
  );
}

/** The Clipboard API needs a secure context; elsewhere `execCommand` copies a selection. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
