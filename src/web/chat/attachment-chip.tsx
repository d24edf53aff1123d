import { useQuery } from '@tanstack/react-query';
import { FileText, ScrollText, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Attachment } from '#contract/chat.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { IconButton, Spinner } from '../ui/button.tsx';
import type { DraftFile } from './use-attachments.ts';

const AttachmentDialog = lazyComponent(() =>
  import('./attachment-dialog.tsx').then((module) => module.AttachmentDialog),
);

/** Files of a question, each with its kind and size; opens their content. */
export function AttachmentList({ projectId, attachments }: { projectId: string; attachments: Attachment[] }) {
  const { t } = useTranslation('chat');
  return (
    <ul aria-label={t('attach.files')} className="mt-2 flex flex-wrap gap-2">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="max-w-full">
          <AttachmentChip projectId={projectId} attachment={attachment} />
        </li>
      ))}
    </ul>
  );
}

/** Files of the question that is being written, each with a button to remove it. */
export function DraftFileList({
  projectId,
  files,
  onRemove,
}: {
  projectId: string;
  files: DraftFile[];
  onRemove: (file: DraftFile) => void;
}) {
  const { t } = useTranslation('chat');
  if (files.length === 0) return null;
  return (
    <ul aria-label={t('attach.files')} className="mb-2 flex flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.key} className="flex max-w-full items-center">
          {file.attachment ? (
            <AttachmentChip projectId={projectId} attachment={file.attachment} />
          ) : (
            <span className="flex min-h-10 min-w-0 items-center gap-2 rounded-md border border-border bg-surface px-2">
              <Spinner />
              <span className="truncate">{file.name}</span>
            </span>
          )}
          <IconButton
            label={t('attach.remove', { name: file.name })}
            icon={<X aria-hidden className="size-4" />}
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  );
}

function AttachmentChip({ projectId, attachment }: { projectId: string; attachment: Attachment }) {
  const { t, i18n } = useTranslation('chat');
  const [open, setOpen] = useState(false);
  const { kind, name, size, width, height } = attachment;
  const number = (value: number) => value.toLocaleString(i18n.language);
  const pixels = width !== null && height !== null ? `${number(width)} × ${number(height)} · ` : '';
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className="flex min-h-10 max-w-full min-w-0 items-center gap-2 rounded-md border border-border bg-surface py-1 pr-3 pl-1.5 text-left hover:bg-select"
        onClick={() => setOpen(true)}
      >
        <Thumbnail projectId={projectId} attachment={attachment} />
        <span className="flex min-w-0 flex-col">
          <span className="truncate font-mono text-code">{name}</span>
          <span className="truncate text-sm text-muted tabular-nums">
            {t(`attach.kind.${kind}`)} · {pixels}
            {formatBytes(size, i18n.language)}
          </span>
        </span>
      </button>
      {open && (
        <Suspense>
          <AttachmentDialog projectId={projectId} attachment={attachment} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function Thumbnail({ projectId, attachment }: { projectId: string; attachment: Attachment }) {
  const { data } = useQuery({
    ...apiQuery('GET /chat/projects/:id/attachments/:attachment', {
      params: { id: projectId, attachment: attachment.id },
    }),
    enabled: attachment.kind === 'image',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (attachment.kind === 'image') {
    return data?.data ? (
      <img
        src={`data:${data.media_type};base64,${data.data}`}
        alt=""
        className="size-8 shrink-0 rounded-sm object-cover"
      />
    ) : (
      <span aria-hidden className="size-8 shrink-0 rounded-sm bg-select" />
    );
  }
  const Icon = attachment.kind === 'log' ? ScrollText : FileText;
  return <Icon aria-hidden className="mx-1 size-5 shrink-0 text-muted" />;
}

/** `1.2 MB` in the reader's language. */
function formatBytes(bytes: number, language: string): string {
  const [unit, divisor] = bytes < 1_000_000 ? ['kilobyte', 1_000] : ['megabyte', 1_000_000];
  const value = Math.max(0.1, bytes / (divisor as number));
  const style = { style: 'unit', unit: unit as string, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, style).format(value);
}
