import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';

/** What the editor asks before it goes on. */
export type Question =
  | { kind: 'new' }
  | { kind: 'rename'; path: string }
  | { kind: 'delete'; path: string }
  | { kind: 'close'; path: string }
  | { kind: 'leave'; count: number };

interface QuestionDialogProps {
  question: Question;
  onCancel: () => void;
  onPath: (path: string) => void;
  onYes: () => void;
}

/** The question as a dialog: for a path, or for a yes. */
export function QuestionDialog({ question, onCancel, onPath, onYes }: QuestionDialogProps) {
  if (question.kind === 'new' || question.kind === 'rename')
    return <AskPath question={question} onCancel={onCancel} onPath={onPath} />;
  return <AskYes question={question} onCancel={onCancel} onYes={onYes} />;
}

interface AskPathProps {
  question: Question & { kind: 'new' | 'rename' };
  onCancel: () => void;
  onPath: (path: string) => void;
}

function AskPath({ question, onCancel, onPath }: AskPathProps) {
  const { t } = useTranslation('ide');
  const before = question.kind === 'rename' ? question.path : '';
  const [path, setPath] = useState(before);
  const wanted = path.trim().replace(/^\/+/, '');
  return (
    <Dialog open onClose={onCancel} title={t(question.kind === 'new' ? 'ask.new' : 'ask.rename')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '' && wanted !== before) onPath(wanted);
        }}
      >
        <Field label={t('ask.path')} hint={t('ask.path_hint')}>
          <Input
            className="font-mono"
            value={path}
            onChange={(event) => setPath(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <DialogActions>
          <Button onClick={onCancel}>{t('ask.cancel')}</Button>
          <Button type="submit" kind="primary" disabled={wanted === '' || wanted === before}>
            {t(question.kind === 'new' ? 'ask.new_yes' : 'ask.rename_yes')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface AskYesProps {
  question: Question & { kind: 'delete' | 'close' | 'leave' };
  onCancel: () => void;
  onYes: () => void;
}

function AskYes({ question, onCancel, onYes }: AskYesProps) {
  const { t } = useTranslation('ide');
  const words =
    question.kind === 'leave'
      ? t('ask.leave_text', { count: question.count })
      : t(question.kind === 'delete' ? 'ask.delete_text' : 'ask.close_text', { path: question.path });
  return (
    <Dialog open onClose={onCancel} size="narrow" title={t(`ask.${question.kind}`)}>
      <p className="wrap-anywhere">{words}</p>
      <DialogActions>
        <Button onClick={onCancel}>{t('ask.cancel')}</Button>
        <Button kind="danger" onClick={onYes}>
          {t(`ask.${question.kind}_yes`)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
