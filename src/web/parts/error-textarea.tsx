import type { ClipboardEvent, ComponentProps, DragEvent, KeyboardEvent } from 'react';
import { Textarea } from '../ui/field.tsx';
import { Kbd } from '../ui/kbd.tsx';

/** Longest error that the server accepts. */
const MAX_LENGTH = 100_000;
/** Browsers take seconds to paste thousands of lines; shorter texts keep their undo. */
const LONG_PASTE = 16_000;
/** Larger files are no logs of one error. */
const MAX_FILE_BYTES = 20 * 2 ** 20;

interface ErrorTextareaProps extends ComponentProps<'textarea'> {
  /** Called on Ctrl-Enter and Command-Enter. */
  onSubmitKey: () => void;
}

/** Field for an error text: long texts are pasted at once, a log file can be dropped, Ctrl-Enter submits. */
export function ErrorTextarea({ onSubmitKey, className = '', ...rest }: ErrorTextareaProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    onSubmitKey();
  };
  return (
    <Textarea
      spellCheck={false}
      {...rest}
      className={`font-mono text-code ${className}`}
      onKeyDown={onKeyDown}
      onPaste={pasteLongText}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={(event) => void dropFile(event)}
    />
  );
}

function pasteLongText(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const text = event.clipboardData.getData('text/plain');
  if (text.length < LONG_PASTE) return;
  event.preventDefault();
  insertText(event.currentTarget, text);
}

/** Inserts the end of a dropped file, where the error of a log is. */
async function dropFile(event: DragEvent<HTMLTextAreaElement>): Promise<void> {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  const field = event.currentTarget;
  const text = await file.slice(Math.max(0, file.size - MAX_FILE_BYTES)).text();
  insertText(field, text.replaceAll('\0', '').slice(-MAX_LENGTH));
}

function insertText(field: HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.focus();
}

/** Keys that submit the field: `⌘ ↵` on a Mac, `Ctrl ↵` elsewhere. */
export function SubmitKey() {
  const isMac = /mac|iphone|ipad/i.test(navigator.platform);
  return <Kbd className="max-sm:hidden">{isMac ? '⌘ ↵' : 'Ctrl ↵'}</Kbd>;
}
