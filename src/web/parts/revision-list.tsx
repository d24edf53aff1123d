import { Combobox } from '@base-ui/react/combobox';
import { useQueries } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { firstLine } from '#contract/first-line.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import {
  groupRevisions,
  type RevisedProject,
  type RevisionGroup,
  type RevisionOption,
} from './group-revisions.ts';
import type { RevisionPickerProps } from './revision-picker.tsx';
import { Verbatim } from './verbatim.tsx';

interface RevisionListProps extends Pick<RevisionPickerProps, 'value' | 'onChange'> {
  projects: readonly RevisedProject[];
  /** Accessible label of the button. */
  label: string;
  face: ReactNode;
  className: string;
}

const RECENT_COMMITS = '12';

/** The picker once it was opened: the list appears at once. */
export function RevisionList({ projects, value, onChange, label, face, className }: RevisionListProps) {
  const { t } = useTranslation('revision');
  const [isOpen, setOpen] = useState(true);
  const [text, setText] = useState('');
  const found = useRevisions(projects);
  const groups = groupRevisions(text, found.known);
  const selected = groups.flatMap(({ items }) => items).find((option) => option.revision === value) ?? null;
  return (
    <Combobox.Root<RevisionOption>
      items={groups}
      filter={null}
      autoHighlight
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setText('');
      }}
      inputValue={text}
      onInputValueChange={(next, { reason }) => reason !== 'item-press' && setText(next)}
      value={selected}
      onValueChange={(option) => option && onChange(option.revision)}
      itemToStringLabel={({ name }) => name}
      isItemEqualToValue={(a, b) => a.revision === b.revision && a.kind === b.kind}
    >
      <Combobox.Trigger aria-label={label} className={className}>
        {face}
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4} className="z-50 outline-none">
          <Combobox.Popup
            aria-label={t('title')}
            className="overlay-fade flex max-h-[min(26rem,var(--available-height))] w-[min(26rem,calc(100vw-16px))] flex-col rounded-lg border border-border bg-surface shadow-overlay"
          >
            <Combobox.Input
              aria-label={t('find')}
              placeholder={t('find')}
              maxLength={200}
              spellCheck={false}
              autoCapitalize="off"
              className="m-2 h-8 shrink-0 rounded-md border border-control bg-background px-2 font-mono text-sm placeholder:font-sans focus-visible:border-action focus-visible:outline-offset-0 placeholder:text-muted"
            />
            {found.failure && <p className="px-3 pb-2 text-muted">{found.failure}</p>}
            <Combobox.List className="overflow-y-auto overscroll-contain border-t border-border pb-1 empty:border-0">
              {(group: RevisionGroup) => <Group key={group.kind} group={group} />}
            </Combobox.List>
            {found.truncated && (
              <p className="border-t border-border px-3 py-2 text-sm text-muted">{t('truncated')}</p>
            )}
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function Group({ group }: { group: RevisionGroup }) {
  const { t } = useTranslation('revision');
  return (
    <Combobox.Group items={group.items}>
      <Combobox.GroupLabel className="px-3 pt-2 pb-0.5 text-xs tracking-[0.04em] text-muted">
        {t(`group.${group.kind}`)}
      </Combobox.GroupLabel>
      <Combobox.Collection>
        {(option: RevisionOption) => <Option key={`${option.kind} ${option.name}`} option={option} />}
      </Combobox.Collection>
    </Combobox.Group>
  );
}

function Option({ option }: { option: RevisionOption }) {
  const { t } = useTranslation('revision');
  const { name, kind, detail, isIndexed } = option;
  return (
    <Combobox.Item
      value={option}
      className="flex h-8 cursor-default items-center gap-2 px-3 outline-none select-none data-highlighted:bg-select"
    >
      <span className="w-3.5 shrink-0">
        <Combobox.ItemIndicator>
          <Check aria-hidden className="size-3.5 text-action" />
        </Combobox.ItemIndicator>
      </span>
      <span className={clsx('truncate font-mono text-sm', kind === 'commits' ? 'shrink-0' : 'min-w-0')}>
        <Verbatim text={name} />
      </span>
      <span className="ml-auto min-w-0 truncate text-sm text-muted">
        {kind === 'typed' ? t('typed') : <Verbatim text={firstLine(detail)} />}
      </span>
      {isIndexed && (
        <span className="shrink-0 rounded-sm border border-border px-1 text-xs text-muted">
          {t('indexed')}
        </span>
      )}
    </Combobox.Item>
  );
}

function useRevisions(projects: readonly RevisedProject[]) {
  const staleTime = 60_000;
  const refs = useQueries({
    queries: projects.map(({ id }) => ({
      ...apiQuery('GET /projects/:id/refs', { params: { id } }),
      staleTime,
    })),
  });
  const own = useQueries({
    queries: projects.map(({ id }) => ({
      ...apiQuery('GET /projects/:id/branches', { params: { id }, query: {} }),
      staleTime,
    })),
  });
  // A commit is in one project only.
  const commits = useQueries({
    queries: (projects.length === 1 ? projects : []).map(({ id }) => ({
      ...apiQuery('GET /projects/:id/commits', { params: { id }, query: { limit: RECENT_COMMITS } }),
      staleTime,
    })),
  });
  return {
    known: projects.map((project, at) => ({
      project,
      refs: refs[at]?.data?.refs ?? [],
      own: own[at]?.data?.branches ?? [],
      commits: commits[at]?.data?.commits ?? [],
    })),
    truncated: refs.some(({ data }) => data?.truncated),
    failure: [...refs, ...own, ...commits].find(({ error }) => error)?.error?.message ?? null,
  };
}
