import { useState } from 'react';
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '#contract/attachment-limits.ts';
import type { Attachment } from '#contract/chat.ts';
import type { AnsweringModel } from '#contract/own-models.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';

/** A file of the question that is being written; without `attachment` while it is uploaded. */
export interface DraftFile {
  key: string;
  name: string;
  attachment: Attachment | null;
}

/** Files of the question that is being written, and what could not be attached. */
export function useAttachments(projectId: string, model: AnsweringModel | null | undefined) {
  const { t } = useTranslation('chat');
  const [files, setFiles] = useState<DraftFile[]>([]);
  const [refusals, setRefusals] = useState<string[]>([]);
  const refuse = (message: string) => setRefusals((before) => [...before, message]);

  const upload = async (file: File) => {
    const key = crypto.randomUUID();
    setFiles((before) => [...before, { key, name: file.name, attachment: null }]);
    try {
      const body = { name: file.name || t('attach.pasted'), data: await toBase64(file) };
      const attachment = await api('POST /chat/projects/:id/attachments', {
        params: { id: projectId },
        body,
      });
      setFiles((before) => before.map((each) => (each.key === key ? { ...each, attachment } : each)));
    } catch (error) {
      setFiles((before) => before.filter((each) => each.key !== key));
      refuse(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  const add = (added: readonly File[]) => {
    setRefusals([]);
    const free = MAX_ATTACHMENTS - files.length;
    if (added.length > free) refuse(t('attach.too_many', { count: MAX_ATTACHMENTS }));
    for (const file of added.slice(0, free)) {
      const refusal = refusalOf(file, model);
      if (refusal) refuse(`${file.name}: ${t(refusal, { model: model?.name ?? '' })}`);
      else void upload(file);
    }
  };
  const remove = ({ key, attachment }: DraftFile) => {
    setFiles((before) => before.filter((each) => each.key !== key));
    if (!attachment) return;
    const params = { id: projectId, attachment: attachment.id };
    // A file of an earlier question stays with it; any other is deleted after a day as well.
    api('DELETE /chat/projects/:id/attachments/:attachment', { params }).catch(() => undefined);
  };
  const replace = (attachments: readonly Attachment[]) => {
    setRefusals([]);
    setFiles(attachments.map((attachment) => ({ key: attachment.id, name: attachment.name, attachment })));
  };
  return {
    ...{ files, refusals, add, remove, replace },
    clear: () => replace([]),
    isUploading: files.some(({ attachment }) => attachment === null),
    attachments: files.flatMap(({ attachment }) => attachment ?? []),
  };
}

/** Key of the reason why a file cannot be attached; null when it can. Kinds are checked by the server, by content. */
function refusalOf(file: File, model: AnsweringModel | null | undefined) {
  if (file.size > MAX_ATTACHMENT_BYTES) return 'attach.too_large';
  if (!/^image\/(?!svg)/.test(file.type) || model === undefined) return null;
  if (model === null || model.unusable) return 'attach.images_need_model';
  if (model.images) return null;
  return model.is_tested ? 'attach.images_unsupported' : 'attach.images_untested';
}

async function toBase64(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return await promise;
}
