import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { type ButtonKind, buttonClass } from './button.tsx';

/** An action of a menu. */
export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  /** State of an action that turns something on and off. */
  checked?: boolean;
}

interface MenuProps {
  /** Accessible label of the button. */
  label: string;
  trigger: ReactNode;
  items: MenuItem[];
  /** Ghost by default. */
  kind?: ButtonKind;
  /** Classes of the button. */
  className?: string | undefined;
  /** Opens with its first rendering. */
  defaultOpen?: boolean;
}

/** Menu button with keyboard navigation. Load it lazily, as `LazyMenu`. */
export function Menu({
  label,
  trigger,
  items,
  kind = 'ghost',
  className = 'min-w-8 px-2',
  defaultOpen = false,
}: MenuProps) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger aria-label={label} title={label} className={buttonClass(kind, className)}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-50">
          <MenuItems items={items} />
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ContextMenuProps {
  /** Place of the pointer, or below the focused row. */
  at: { x: number; y: number };
  items: MenuItem[];
  /** Element that holds the menu, whose theme it has. */
  container: HTMLElement | null;
  onClose: () => void;
}

/** Menu at a point, open as long as it is rendered; the focus returns to where it was. Load it lazily. */
export function ContextMenu({ at: { x, y }, items, container, onClose }: ContextMenuProps) {
  const anchor = { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) };
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal container={container}>
        <Base.Positioner anchor={anchor} align="start" className="z-50">
          <MenuItems items={items} />
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function MenuItems({ items }: { items: MenuItem[] }) {
  return (
    <Base.Popup className="overlay-fade min-w-44 rounded-lg border border-border bg-surface p-1 text-foreground shadow-overlay outline-none">
      {items.map(({ label, icon, onSelect, disabled = false, checked }) =>
        checked === undefined ? (
          <Base.Item key={label} disabled={disabled} onClick={onSelect} className={ITEM}>
            {icon}
            {label}
          </Base.Item>
        ) : (
          <Base.CheckboxItem
            key={label}
            disabled={disabled}
            checked={checked}
            onCheckedChange={onSelect}
            closeOnClick
            className={ITEM}
          >
            {icon}
            <span className="flex-1">{label}</span>
            {checked && <Check aria-hidden className="size-4" />}
          </Base.CheckboxItem>
        ),
      )}
    </Base.Popup>
  );
}

const ITEM =
  'flex h-8 cursor-default items-center gap-2 rounded-md px-2 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-select';
