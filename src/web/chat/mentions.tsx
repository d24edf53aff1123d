import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type KeyboardEvent, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';

type Mention = ApiReply<'GET /chat/projects/:id/mentions'>['mentions'][number];

/** Partial mention after the last `@`, or null. */
export function mentionQuery(text: string): string | null {
  return /(?:^|\s)@([\w./:$@-]{0,100})$/.exec(text)?.[1] ?? null;
}

/** Replaces the partial mention by the chosen one. */
export function insertMention(text: string, mention: string): string {
  return `${text.replace(/@[\w./:$@-]{0,100}$/, '')}${mention} `;
}

/** Autocomplete for `@` mentions of files, symbols, commits and errors. */
export function useMentions(projectId: string, text: string, onText: (text: string) => void, id: string) {
  const typed = mentionQuery(text);
  const [closed, setClosed] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const isOpen = typed !== null && closed !== text;
  const { data } = useQuery({
    ...apiQuery('GET /chat/projects/:id/mentions', { params: { id: projectId }, query: { q: typed ?? '' } }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const mentions = isOpen ? (data?.mentions ?? []) : [];
  const choose = (mention: Mention) => {
    setActive(0);
    onText(insertMention(text, mention.text));
  };
  const at = Math.min(active, Math.max(0, mentions.length - 1));
  /** Handles a key of the list; true when it was consumed. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (mentions.length === 0) return false;
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0) setActive((at + move + mentions.length) % mentions.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(mentions[at]!);
    else if (event.key === 'Escape') setClosed(text);
    else return false;
    event.preventDefault();
    return true;
  };
  const list = mentions.length > 0 && (
    <MentionList id={id} mentions={mentions} active={at} onChoose={choose} />
  );
  const field = mentions.length > 0 && { 'aria-controls': id, 'aria-activedescendant': `${id}-${at}` };
  return { list, onKey, field: field || {} };
}

interface MentionListProps {
  id: string;
  mentions: Mention[];
  active: number;
  onChoose: (mention: Mention) => void;
}

function MentionList({ id, mentions, active, onChoose }: MentionListProps) {
  const { t } = useTranslation('chat');
  return (
    // The input handles the keys, so options are not focusable.
    <div
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={t('mentions.label')}
      className="absolute inset-x-0 bottom-full z-30 mb-1 max-h-72 overflow-y-auto rounded-lg border border-border bg-surface p-1 shadow-overlay"
    >
      {mentions.map((mention, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field's own keys choose.
        <div
          key={`${mention.kind} ${mention.text} ${mention.label}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={clsx('flex min-h-8 items-center gap-2 rounded-md px-2', index === active && 'bg-select')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(mention)}
        >
          <span className="w-16 shrink-0 text-sm text-muted">{t(`mentions.${mention.kind}`)}</span>
          <span className={clsx('min-w-0 truncate', mention.kind !== 'error' && 'font-mono')}>
            {mention.label}
          </span>
        </div>
      ))}
    </div>
  );
}
