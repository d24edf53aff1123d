import { useQuery } from '@tanstack/react-query';
import type { Attachment } from '#contract/chat.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QueryState } from '../ui/query-state.tsx';

/** Characters that are shown; a page of 2 MB would stall the browser. */
const MAX_SHOWN = 100_000;

interface AttachmentDialogProps {
  projectId: string;
  attachment: Attachment;
  onClose: () => void;
}

/** Content of an attached file: the image, or the text as it is stored, with secrets redacted. */
export function AttachmentDialog({ projectId, attachment, onClose }: AttachmentDialogProps) {
  const { t } = useTranslation('chat');
  const { name, kind } = attachment;
  const query = useQuery({
    ...apiQuery('GET /chat/projects/:id/attachments/:attachment', {
      params: { id: projectId, attachment: attachment.id },
    }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={name}
      description={t(kind === 'image' ? 'attach.as_is' : 'attach.redacted')}
    >
      <QueryState query={query} loading={['60%', '80%', '40%']}>
        {({ text, data, media_type }) =>
          data === null ? (
            <pre className="max-h-[50vh] overflow-auto rounded-md border border-border p-3 font-mono text-code">
              <Verbatim text={text ?? ''} max={MAX_SHOWN} />
            </pre>
          ) : (
            <img src={`data:${media_type};base64,${data}`} alt={name} className="max-h-[56vh] max-w-full" />
          )
        }
      </QueryState>
    </Dialog>
  );
}
