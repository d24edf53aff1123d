import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useId, useState } from 'react';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { OutputText } from './output-text.tsx';
import type { ProvedSession } from './proof-dialog.tsx';
import type { ProofDraft } from './proof-draft.ts';
import { useUploadLog } from './use-proof.ts';

const SCRIPT_NAME = 'hindsight-bisect.sh';

interface RunElsewhereProps {
  session: ProvedSession;
  draft: ProofDraft;
  onUploaded: () => void;
}

/** A script that searches the commit on the reader's machine, and the upload of its log. */
export function RunElsewhere({ session, draft, onUploaded }: RunElsewhereProps) {
  const { t } = useTranslation('proofs');
  const command = draft.command.trim();
  const script = useMutation({
    mutationFn: () =>
      api('POST /debug/:id/proofs/script', {
        params: { id: session.id },
        body: { command, good: draft.good.trim() || null, bad: draft.bad.trim() || null },
      }),
  });
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('elsewhere.title')}</h3>
      <p className="text-muted">{t('elsewhere.text')}</p>
      <Button
        className="self-start"
        disabled={command === ''}
        loading={script.isPending}
        onClick={() => script.mutate()}
      >
        {t('elsewhere.show')}
      </Button>
      {script.error && <Notice kind="error">{script.error.message}</Notice>}
      {script.data && <ScriptText text={script.data.script} />}
      <LogUpload sessionId={session.id} command={command} onUploaded={onUploaded} />
    </section>
  );
}

function ScriptText({ text }: { text: string }) {
  const { t } = useTranslation('proofs');
  const download = () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/x-shellscript' }));
    link.download = SCRIPT_NAME;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div className="rounded-md border border-border">
      <div className="flex items-center justify-between border-b border-border py-1 pr-1 pl-3">
        <span className="font-mono text-sm">{SCRIPT_NAME}</span>
        <span className="flex gap-1">
          <CopyButton text={text} label={t('elsewhere.copy')} />
          <Button kind="ghost" size="small" className="text-sm text-muted" onClick={download}>
            {t('elsewhere.download')}
          </Button>
        </span>
      </div>
      <OutputText label={SCRIPT_NAME} text={text} className="max-h-56 border-0" />
    </div>
  );
}

interface LogUploadProps {
  sessionId: string;
  command: string;
  onUploaded: () => void;
}

function LogUpload({ sessionId, command, onUploaded }: LogUploadProps) {
  const { t } = useTranslation('proofs');
  const [log, setLog] = useState('');
  const fileId = useId();
  const upload = useUploadLog(sessionId, onUploaded);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (file) setLog((await file.text()).slice(0, 2 ** 20));
  };
  return (
    <>
      <Field
        label={t('elsewhere.log')}
        hint={<CodeSpans text={t('elsewhere.log_hint')} />}
        error={upload.error ? (upload.error.fields.log ?? upload.error.message) : undefined}
        aside={
          <label
            htmlFor={fileId}
            className={buttonClass('plain', 'cursor-pointer has-focus-visible:outline-2', 'small')}
          >
            <input
              id={fileId}
              type="file"
              accept=".log,.txt,text/plain"
              className="sr-only"
              onChange={choose}
            />
            {t('elsewhere.choose')}
          </label>
        }
      >
        <Textarea
          rows={4}
          value={log}
          spellCheck={false}
          autoCapitalize="off"
          className="resize-y font-mono text-code"
          onChange={(event) => setLog(event.target.value)}
        />
      </Field>
      <Button
        kind="primary"
        className="self-end"
        disabled={log.trim() === '' || command === ''}
        loading={upload.isPending}
        onClick={() => upload.mutate({ log, command })}
      >
        {t('elsewhere.upload')}
      </Button>
    </>
  );
}
