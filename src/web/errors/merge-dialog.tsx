import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useMerge } from './use-merge.ts';

interface MergeDialogProps {
  /** One error, to find others for; or several, to choose which of them stays. */
  errors: ErrorGroup[];
  onClose: () => void;
  onMerged: (id: string) => void;
}

/** Merges errors of one project: chosen ones into one of them, or others into a single one. */
export function MergeDialog({ errors, onClose, onMerged }: MergeDialogProps) {
  const { t } = useTranslation('errors-page');
  const merge = useMerge();
  const [first] = errors;
  if (!first) return null;
  const save = (into: string, others: string[]) =>
    merge.mutate(
      { projectId: first.project_id, into, errors: others },
      {
        onSuccess: ({ id }) => {
          onClose();
          onMerged(id);
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={t('merge.title')} description={t('merge.text')}>
      {merge.error && (
        <Notice
          kind="error"
          className="mb-3"
          onRetry={() => merge.variables && save(merge.variables.into, merge.variables.errors)}
        >
          {merge.error.message}
        </Notice>
      )}
      {errors.length > 1 ? (
        <ChooseTarget errors={errors} isPending={merge.isPending} onClose={onClose} onMerge={save} />
      ) : (
        <ChooseOthers error={first} isPending={merge.isPending} onClose={onClose} onMerge={save} />
      )}
    </Dialog>
  );
}

interface ChoiceProps {
  isPending: boolean;
  onClose: () => void;
  onMerge: (into: string, others: string[]) => void;
}

/** Chooses which of several errors stays; the one with the most occurrences at first. */
function ChooseTarget({ errors, isPending, onClose, onMerge }: ChoiceProps & { errors: ErrorGroup[] }) {
  const { t } = useTranslation('errors-page');
  const most = errors.reduce((best, error) => (error.count > best.count ? error : best));
  const [target, setTarget] = useState(most.id);
  const others = errors.flatMap(({ id }) => (id === target ? [] : [id]));
  return (
    <>
      <fieldset>
        <legend className="mb-1 font-semibold">{t('merge.target')}</legend>
        {errors.map((error) => (
          <label key={error.id} className="flex items-start gap-3 border-t border-border py-1.5">
            <input
              type="radio"
              name="target"
              className="mt-1 accent-action"
              checked={error.id === target}
              onChange={() => setTarget(error.id)}
            />
            <ErrorFacts error={error} />
          </label>
        ))}
      </fieldset>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" loading={isPending} onClick={() => onMerge(target, others)}>
          {t('merge.submit', { count: errors.length })}
        </Button>
      </DialogActions>
    </>
  );
}

/** Type of an error, or else its first words: what similar ones share. */
function sharedText({ title }: ErrorGroup): string {
  return (/^([\w.$]+(?:Error|Exception|Warning|Fault)?)\b/.exec(title)?.[1] ?? title).slice(0, 200);
}

/** Finds errors like one, by its type at first, and chooses those that it gets. */
function ChooseOthers({ error, isPending, onClose, onMerge }: ChoiceProps & { error: ErrorGroup }) {
  const { t } = useTranslation('errors-page');
  const [text, setText] = useState(() => sharedText(error));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const query = useQuery({
    ...apiQuery('GET /projects/:id/errors', {
      params: { id: error.project_id },
      query: { ...(text.trim() !== '' && { q: text.trim() }), limit: '20' },
    }),
    placeholderData: keepPreviousData,
  });
  const toggle = (id: string) =>
    setChosen((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id])));
  const candidates = ({ errors }: { errors: ErrorGroup[] }) => errors.filter(({ id }) => id !== error.id);
  return (
    <>
      <Input
        type="search"
        aria-label={t('merge.search')}
        placeholder={t('merge.search')}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="mt-2 max-h-72 overflow-y-auto" aria-busy={query.isPlaceholderData}>
        <QueryState
          query={query}
          loading={['70%', '58%', '64%']}
          isEmpty={(data) => candidates(data).length === 0}
          empty={<p className="py-3 text-muted">{t('merge.none')}</p>}
        >
          {(data) =>
            candidates(data).map((one) => (
              <label key={one.id} className="flex items-start gap-3 border-t border-border py-1.5">
                <input
                  type="checkbox"
                  className="checkbox mt-1 size-4 shrink-0"
                  checked={chosen.has(one.id)}
                  onChange={() => toggle(one.id)}
                />
                <ErrorFacts error={one} />
              </label>
            ))
          }
        </QueryState>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          kind="primary"
          loading={isPending}
          disabled={chosen.size === 0}
          onClick={() => onMerge(error.id, [...chosen])}
        >
          {t('merge.submit', { count: chosen.size + 1 })}
        </Button>
      </DialogActions>
    </>
  );
}

function ErrorFacts({ error: { title, culprit, count, last_seen } }: { error: ErrorGroup }) {
  const { t, i18n } = useTranslation('inbox');
  return (
    <span className="min-w-0 flex-1">
      <span className="line-clamp-2 font-mono text-code wrap-anywhere">
        <Verbatim text={title} />
      </span>
      <span className="flex flex-wrap gap-x-3 text-sm text-muted">
        {culprit && (
          <span className="max-w-full truncate font-mono">
            <Verbatim text={culprit} />
          </span>
        )}
        <span>{t('times', { count, value: new Intl.NumberFormat(i18n.language).format(count) })}</span>
        <RelativeTime at={last_seen} />
      </span>
    </span>
  );
}
