import { clsx } from 'clsx';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button, type ButtonKind } from '../ui/button.tsx';

const COPIED_INDICATOR_MS = 2_000;

interface CopyButtonProps {
  text: string;
  label?: string;
  /** Ghost and small beside a text, plain in a row of actions. */
  kind?: Extract<ButtonKind, 'ghost' | 'plain'>;
  className?: string;
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label, kind = 'ghost', className }: CopyButtonProps) {
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
      kind={kind}
      size={kind === 'ghost' ? 'small' : 'normal'}
      className={clsx(kind === 'ghost' && 'gap-1.5 font-sans text-sm text-muted', className)}
      onClick={() => void copy()}
    >
      <Icon aria-hidden className="size-3.5" />
      <span aria-live="polite">{copied ? t('copied') : (label ?? t('copy'))}</span>
    </Button>
  );
}

/** The Clipboard API needs a secure context; elsewhere `execCommand` copies a selection. */
export async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
