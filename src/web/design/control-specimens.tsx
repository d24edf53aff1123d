import { Ellipsis, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink, IconButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Checkbox, Field, Input, PasswordInput, Select, Textarea } from '../ui/field.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Menu } from '../ui/menu.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { Switch } from '../ui/switch.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useToast } from '../ui/toast.tsx';
import { Examples, Specimen } from './specimen.tsx';

const KINDS = ['primary', 'plain', 'ghost', 'danger'] as const;
const ICON = <RefreshCw aria-hidden="true" className="size-4" />;

/** Buttons, fields, overlays and rows. */
export function ControlSpecimens() {
  return (
    <>
      <Specimen name="Button, IconButton, Kbd">
        {(['normal', 'small'] as const).map((size) => (
          <Examples key={size}>
            {KINDS.map((kind) => (
              <Button key={kind} kind={kind} size={size}>
                {kind}
              </Button>
            ))}
            <Button size={size} loading>
              loading
            </Button>
            <Button size={size} disabled>
              disabled
            </Button>
            <ButtonLink to="#" size={size}>
              ButtonLink
            </ButtonLink>
          </Examples>
        ))}
        <Examples>
          <IconButton label="IconButton" icon={ICON} />
          <IconButton label="disabled" icon={ICON} disabled />
          <Kbd>Ctrl K</Kbd>
        </Examples>
      </Specimen>
      <FieldSpecimens />
      <ChoiceSpecimens />
      <OverlaySpecimens />
      <RowSpecimens />
    </>
  );
}

function FieldSpecimens() {
  return (
    <Specimen name="Field">
      <div className="grid w-full gap-4 sm:grid-cols-2">
        <Field label="Input" hint="hint">
          <Input placeholder="placeholder" />
        </Field>
        <Field label="error" error="error">
          <Input defaultValue="x" />
        </Field>
        <Field label="disabled">
          <Input disabled defaultValue="x" />
        </Field>
        <Field label="Select">
          <Select>
            <option>main</option>
          </Select>
        </Field>
        <Field label="PasswordInput">
          <PasswordInput defaultValue="a quiet harbour" />
        </Field>
        <Field label="Textarea">
          <Textarea rows={3} className="font-mono text-code" defaultValue="TypeError: x is undefined" />
        </Field>
      </div>
      <Checkbox label="Checkbox" defaultChecked />
      <Checkbox label="error" error="error" />
    </Specimen>
  );
}

function ChoiceSpecimens() {
  const [segment, setSegment] = useState('a');
  const [tab, setTab] = useState('one');
  return (
    <Specimen name="Switch, SegmentedControl, Tabs, DescriptionList">
      <div className="w-72">
        <Switch label="Switch" defaultChecked />
        <Switch label="off" />
      </div>
      <SegmentedControl
        legend="SegmentedControl"
        options={{ a: 'Light', b: 'Dark', c: 'System' }}
        value={segment}
        onChange={setSegment}
      />
      <div className="w-full">
        <Tabs
          label="Tabs"
          value={tab}
          onChange={setTab}
          tabs={['one', 'two', 'three'].map((value) => ({ value, label: value, content: value }))}
        />
      </div>
      <div className="w-full">
        <DescriptionList items={{ branch: 'main', commit: <code>83e6976</code> }} />
      </div>
    </Specimen>
  );
}

function OverlaySpecimens() {
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const fail = () => Promise.reject(new Error('Server unreachable.'));
  return (
    <Specimen name="Toast, Dialog, Menu">
      <Examples>
        <Button onClick={() => toast('saved')}>toast</Button>
        <Button onClick={() => toast('saved', { link: { to: '#', text: 'link' } })}>toast, link</Button>
        <Button onClick={() => toast('deleted', { onUndo: () => undefined })}>toast, undo</Button>
        <Button onClick={() => toast('deleted', { onUndo: fail })}>toast, undo fails</Button>
        <Button onClick={() => setOpen(true)}>dialog</Button>
        <Menu
          label="Menu"
          trigger={<Ellipsis aria-hidden="true" className="size-4" />}
          items={[
            { label: 'one', onSelect: () => undefined },
            { label: 'disabled', onSelect: () => undefined, disabled: true },
          ]}
        />
      </Examples>
      <Dialog open={open} onClose={() => setOpen(false)} title="Dialog" description="description">
        <Field label="Input">
          <Input />
        </Field>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>cancel</Button>
          <Button kind="primary" onClick={() => setOpen(false)}>
            confirm
          </Button>
        </DialogActions>
      </Dialog>
    </Specimen>
  );
}

function RowSpecimens() {
  return (
    <Specimen name="row, RowActions" rule="hover, focus">
      <ul className="w-full">
        {(['open', 'regressed', 'solved'] as const).map((state) => (
          <li key={state} className="border-t border-border">
            <div className="row">
              <StateMark state={state} iconOnly />
              <a href="#row" className="min-w-0 flex-1 truncate font-mono text-sm">
                TypeError: Promise.withResolvers is not a function
              </a>
              <RowActions>
                <Button size="small">resolve</Button>
                <IconButton
                  label="delete"
                  className="size-6"
                  icon={<Trash2 aria-hidden="true" className="size-4" />}
                />
              </RowActions>
              <span className="text-muted">28</span>
            </div>
          </li>
        ))}
      </ul>
    </Specimen>
  );
}
