import { Paperclip, Pencil, SendHorizontal, SlidersHorizontal, Square, X } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { RevisionPicker } from '../parts/revision-picker.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { DraftFileList } from './attachment-chip.tsx';
import { useMentions } from './mentions.tsx';
import type { useAttachments } from './use-attachments.ts';
import type { ChatOptions } from './use-chat-options.ts';

const MAX_LENGTH = 20_000;

interface ComposerProps {
  project: Project;
  /** Name of the revision that the next answer is about; null for the indexed commit. */
  revision: string | null;
  onRevision: (revision: string | null) => void;
  input: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onText: (text: string) => void;
  files: ReturnType<typeof useAttachments>;
  /** Model that answers, and where the data goes. */
  about: ReactNode;
  /** Context that the newest answer took; null without a model. */
  gauge: ReactNode;
  options: ChatOptions;
  onOptions: (options: ChatOptions) => void;
  /** An answer is being written. */
  sending: boolean;
  /** An earlier question is being edited. */
  editing: boolean;
  onCancelEdit: () => void;
  onSend: () => void;
  onStop: () => void;
  /** Opens the confirmation to clear the chat; absent while the chat is empty. */
  onClear: (() => void) | undefined;
}

/** Message input. Enter sends, Shift+Enter inserts a new line, Esc stops the answer. */
export function Composer(props: ComposerProps) {
  const { project, input, text, onText, files, options, onOptions, sending, onSend, onStop } = props;
  const mentionsId = useId();
  const mentions = useMentions(project.id, text, onText, mentionsId);
  const { t } = useTranslation('chat');
  const [optionsOpen, setOptionsOpen] = useState(false);
  const optionsId = useId();
  const ready = text.trim() !== '' && !sending && !files.isUploading;
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    const isTooLong = text.length + pasted.length > MAX_LENGTH;
    const added = isTooLong
      ? [new File([pasted], t('attach.pasted'), { type: 'text/plain' })]
      : [...event.clipboardData.files];
    if (added.length === 0) return;
    event.preventDefault();
    files.add(added);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.nativeEvent.isComposing && mentions.onKey(event)) return;
    if (event.key === 'Escape' && sending) onStop();
    // Enter also confirms a candidate of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229)
      return;
    event.preventDefault();
    if (ready) onSend();
  };
  return (
    <form
      className="border-t border-border bg-surface px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSend();
      }}
    >
      <div className="mx-auto max-w-[728px]">
        {props.editing && (
          <p className="mb-2 flex items-center gap-2 text-sm text-muted">
            <Pencil aria-hidden className="size-3.5" />
            {t('editing')}
            <Button size="small" onClick={props.onCancelEdit}>
              {t('clear.cancel')}
            </Button>
          </p>
        )}
        {optionsOpen && <ChatOptionsFieldset id={optionsId} options={options} onOptions={onOptions} />}
        {files.refusals.map((refusal) => (
          <Notice key={refusal} kind="error" className="mb-2">
            {refusal}
          </Notice>
        ))}
        <DraftFileList projectId={project.id} files={files.files} onRemove={files.remove} />
        <div className="relative">
          {mentions.list}
          <textarea
            {...mentions.field}
            ref={input}
            rows={2}
            value={text}
            aria-label={t('placeholder')}
            placeholder={t('placeholder')}
            maxLength={MAX_LENGTH}
            onPaste={onPaste}
            onChange={(event) => onText(event.target.value)}
            onKeyDown={onKeyDown}
            className="field-sizing-content max-h-48 min-h-14 w-full resize-none rounded-md border border-control bg-surface px-2.5 py-1.5 text-answer placeholder:text-muted hover:border-muted focus-visible:border-action focus-visible:outline-offset-0"
          />
        </div>
        <ComposerToolbar
          {...props}
          optionsId={optionsId}
          optionsOpen={optionsOpen}
          onToggleOptions={() => setOptionsOpen(!optionsOpen)}
          ready={ready}
        />
        <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-80">{props.about}</div>
          {props.gauge}
        </div>
      </div>
    </form>
  );
}

function ChatOptionsFieldset({
  id,
  options,
  onOptions,
}: { id: string } & Pick<ComposerProps, 'options' | 'onOptions'>) {
  const { t } = useTranslation('chat');
  return (
    <fieldset id={id} className="mb-3 flex flex-col gap-2">
      <legend className="sr-only">{t('options')}</legend>
      {(['use_chat_history', 'use_code_context'] as const).map((name) => (
        <div key={name}>
          <Checkbox
            label={t(`option.${name}`)}
            checked={options[name]}
            onChange={(event) => onOptions({ ...options, [name]: event.target.checked })}
          />
          <p className="pl-6 text-sm text-muted">{t(`option.${name}_hint`)}</p>
        </div>
      ))}
    </fieldset>
  );
}

interface ComposerToolbarProps
  extends Pick<
    ComposerProps,
    | ('input' | 'text' | 'onText' | 'files' | 'sending' | 'onStop' | 'onClear')
    | ('project' | 'revision' | 'onRevision')
  > {
  optionsId: string;
  optionsOpen: boolean;
  onToggleOptions: () => void;
  /** There is a message, and none is being sent. */
  ready: boolean;
}

function ComposerToolbar(props: ComposerToolbarProps) {
  const {
    input,
    text,
    onText,
    files,
    optionsId,
    optionsOpen,
    onToggleOptions,
    sending,
    ready,
    onStop,
    onClear,
  } = props;
  const { t } = useTranslation('chat');
  return (
    <div className="mt-2 flex flex-wrap items-center gap-1">
      <AttachButton onFiles={files.add} />
      <IconButton
        label={t('options')}
        aria-expanded={optionsOpen}
        aria-controls={optionsId}
        icon={<SlidersHorizontal aria-hidden className="size-4" />}
        onClick={onToggleOptions}
      />
      <IconButton
        label={t('clear_input')}
        className={text === '' ? 'max-sm:hidden' : undefined}
        disabled={text === ''}
        icon={<X aria-hidden className="size-4" />}
        onClick={() => {
          onText('');
          input.current?.focus();
        }}
      />
      <Button kind="ghost" className="px-2 text-muted" disabled={!onClear} onClick={onClear}>
        {t('clear.open')}
      </Button>
      <RevisionPicker project={props.project} value={props.revision} onChange={props.onRevision} />
      <span className="ml-auto flex gap-2">
        {sending && (
          <Button onClick={onStop}>
            <Square aria-hidden className="size-3.5" />
            {t('stop')}
          </Button>
        )}
        <Button kind="primary" type="submit" disabled={!ready}>
          <SendHorizontal aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{t('send')}</span>
        </Button>
      </span>
    </div>
  );
}

/** Opens the file dialog. */
function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('chat');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label={t('attach.add')}
        icon={<Paperclip aria-hidden className="size-4" />}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          event.target.value = '';
        }}
      />
    </>
  );
}
