import { useState } from 'react';
import type { BranchConflict } from '#contract/branches.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { StateMark } from '../ui/state-mark.tsx';

interface ConflictEditorProps {
  conflict: BranchConflict;
  isResolved: boolean;
  /** Null deletes the file. */
  onResolve: (content: string | null) => void;
}

type Side = 'theirs' | 'base' | 'ours';

/** The three versions of a file that conflicts, above the text that is saved. */
export function ConflictEditor({ conflict, isResolved, onResolve }: ConflictEditorProps) {
  const { t } = useTranslation('branches');
  const [side, setSide] = useState<Side>('theirs');
  const [text, setText] = useState(conflict.ours ?? conflict.theirs ?? '');
  const shown = conflict[side];
  const take = (content: string | null) => {
    setText(content ?? '');
    onResolve(content);
  };
  const sides = { theirs: t('conflict.theirs'), base: t('conflict.base'), ours: t('conflict.ours') };
  return (
    <section className="flex flex-col gap-2 border-t border-border pt-3">
      <header className="flex items-center gap-3">
        <h3 className="min-w-0 flex-1 truncate font-mono text-sm font-semibold">
          <Verbatim text={conflict.path} />
        </h3>
        <StateMark state={isResolved ? 'solved' : 'conflict'} />
      </header>
      <SegmentedControl legend={t('conflict.version')} options={sides} value={side} onChange={setSide} />
      <pre className="max-h-52 overflow-auto rounded-md border border-border bg-background p-2 font-mono text-sm">
        {shown === null ? (
          <span className="text-muted">{t('conflict.missing')}</span>
        ) : (
          <Verbatim text={shown} />
        )}
      </pre>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => take(conflict.ours)}>
          {t('conflict.take_ours')}
        </Button>
        <Button size="small" onClick={() => take(conflict.theirs)}>
          {t('conflict.take_theirs')}
        </Button>
      </div>
      <Field label={t('conflict.result')} hint={t('conflict.result_hint')}>
        <Textarea
          className="font-mono text-sm"
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            onResolve(event.target.value);
          }}
        />
      </Field>
    </section>
  );
}
