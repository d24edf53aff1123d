import { SendHorizontal, Square } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, Spinner } from '../ui/button.tsx';
import { Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Session } from './answer.tsx';
import { type PendingQuestion, useFollowUp } from './use-follow-up.ts';

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

/** Chat about this answer, with the error and the answer as context. */
export function FollowUp({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { messages, failure, pending, ask, stop, dismiss } = useFollowUp(session);
  const projectId = session.project_id;
  return (
    <section aria-labelledby="follow-up" className="flex flex-col gap-4 border-t border-border pt-5">
      <h2 id="follow-up" className="text-answer font-semibold">
        {t('follow_up.title')}
      </h2>
      {failure && <Notice kind="error">{failure}</Notice>}
      {(messages.length > 0 || pending) && (
        <ol aria-label={t('follow_up.messages')} className="flex flex-col gap-4">
          {messages.map(({ id, role, content }) => (
            <Message key={id} projectId={projectId} mine={role === 'user'} content={content} />
          ))}
          {pending && <PendingAnswer projectId={projectId} pending={pending} />}
        </ol>
      )}
      {pending?.failure && (
        <Notice
          kind="error"
          onRetry={() => {
            dismiss();
            return ask(pending.question);
          }}
        >
          {pending.failure}
        </Notice>
      )}
      <FollowUpForm busy={pending !== null && pending.failure === null} onAsk={ask} onStop={stop} />
    </section>
  );
}

function Message({ projectId, mine: isOwn, content }: { projectId: string; mine: boolean; content: string }) {
  const { t } = useTranslation('debug');
  if (!isOwn) {
    return (
      <li>
        <MarkdownView text={content} projectId={projectId} references={NO_REFERENCES} />
      </li>
    );
  }
  return (
    <li className="rounded-md bg-select px-3 py-2">
      <span className="sr-only">{t('follow_up.you')}</span>
      <p className="max-w-[68ch] whitespace-pre-wrap wrap-anywhere">
        <Verbatim text={content} max={20_000} />
      </p>
    </li>
  );
}

/** The pending question, its streamed answer and progress. */
function PendingAnswer({ projectId, pending }: { projectId: string; pending: PendingQuestion }) {
  const { t } = useTranslation('debug');
  const { question, text, step, failure } = pending;
  return (
    <>
      <Message projectId={projectId} mine content={question} />
      {text !== '' && <Message projectId={projectId} mine={false} content={text} />}
      {failure === null && (
        <li>
          <p role="status" className="flex items-center gap-2 text-muted wrap-anywhere">
            <Spinner />
            {t(`parts:progress.${step.step}`)}
            {step.step === 'tool_call' && (
              <span className="font-mono">
                {step.tool} {step.query}
              </span>
            )}
          </p>
        </li>
      )}
    </>
  );
}

interface FollowUpFormProps {
  busy: boolean;
  onAsk: (question: string) => void;
  onStop: () => void;
}

/** Enter sends, Shift+Enter inserts a new line. */
function FollowUpForm({ busy, onAsk, onStop }: FollowUpFormProps) {
  const { t } = useTranslation('debug');
  const [text, setText] = useState('');
  const ready = text.trim() !== '' && !busy;
  const send = () => {
    if (!ready) return;
    setText('');
    onAsk(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms a candidate of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        rows={2}
        value={text}
        maxLength={20_000}
        aria-label={t('follow_up.placeholder')}
        placeholder={t('follow_up.placeholder')}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex justify-end gap-2">
        {busy && (
          <Button onClick={onStop}>
            <Square aria-hidden className="size-3.5" />
            {t('parts:progress.stop')}
          </Button>
        )}
        <Button kind="primary" type="submit" disabled={!ready}>
          <SendHorizontal aria-hidden className="size-4" />
          {t('follow_up.send')}
        </Button>
      </div>
    </form>
  );
}
