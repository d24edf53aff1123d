import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ErrorChange, ErrorGroup } from '#contract/error-groups.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { formatRelease } from '../parts/format-release.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';

/** Props of a dialog that changes errors. */
export interface ErrorDialogProps {
  errors: ErrorGroup[];
  onClose: () => void;
  onChange: (change: ErrorChange) => void;
}

const MAX_OFFERED = 6;

/** Asks for the release that solves errors of one project: the next one, one that has them, one of the newest, or any other. */
export function ResolveInReleaseDialog({ errors, onClose, onChange }: ErrorDialogProps) {
  const { t } = useTranslation('errors-page');
  const [release, setRelease] = useState('');
  const query = useQuery(
    apiQuery('GET /projects/:id/releases', {
      params: { id: errors[0]?.project_id ?? '' },
      query: { limit: String(MAX_OFFERED) },
    }),
  );
  const version = release.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (version !== '') onChange({ state: 'solved', solved_in: version });
  };
  const seen = errors.flatMap(({ last_release }) => last_release ?? []);
  const [last] = seen;
  const newest = query.data?.releases.map((one) => one.version) ?? [];
  const offered = [...new Set([...seen, ...newest])].slice(0, MAX_OFFERED);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('resolve_in.title', { count: errors.length })}
      description={t('resolve_in.text')}
      size="narrow"
    >
      {last !== undefined && (
        <Button className="mb-4 max-w-full" onClick={() => onChange({ state: 'solved', solved_after: last })}>
          <span className="truncate">{t('resolve_in.next', { release: formatRelease(last) })}</span>
        </Button>
      )}
      <form onSubmit={submit}>
        <Field label={t('resolve_in.release')} hint={t('resolve_in.hint')}>
          <Input
            className="font-mono"
            maxLength={200}
            placeholder="2.4.1"
            value={release}
            onChange={(event) => setRelease(event.target.value)}
          />
        </Field>
        {offered.length > 0 && (
          <fieldset className="mt-3 flex flex-wrap gap-1">
            <legend className="mb-1 text-sm text-muted">{t('resolve_in.known')}</legend>
            {offered.map((one) => (
              <Button
                key={one}
                size="small"
                className="max-w-full font-mono aria-pressed:border-action aria-pressed:bg-select"
                aria-pressed={one === version}
                onClick={() => setRelease(one)}
              >
                <span className="truncate">
                  <Verbatim text={formatRelease(one)} />
                </span>
              </Button>
            ))}
          </fieldset>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" disabled={version === ''}>
            {t('resolve_in.submit')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
