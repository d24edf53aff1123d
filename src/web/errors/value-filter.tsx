import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from 'react';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { SuggestionList } from '../parts/suggestion-list.tsx';
import { Input } from '../ui/field.tsx';

/** Filters by a value that events carry, and the field whose values complete each. */
const FIELDS = {
  release: 'release',
  new_in: 'release',
  regressed_in: 'release',
  environment: 'environment',
  tag: 'tag',
} as const;
type ValueFilterName = keyof typeof FIELDS;

interface ValueFilterProps {
  name: ValueFilterName;
  value: string;
  /** Project whose values are offered; all projects when empty. */
  projectId: string;
  onChange: (value: string) => void;
}

/** Filter with completion: arrows choose a value, Enter applies the choice or the text, and so does leaving the field. */
export function ValueFilter({ name, value, projectId, onChange }: ValueFilterProps) {
  const { t, i18n } = useTranslation('inbox');
  const number = new Intl.NumberFormat(i18n.language);
  const [text, setText] = useState(value);
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const listId = useId();
  useEffect(() => setText(value), [value]);
  const offers = useOffers({ name, text, projectId, isOpen });
  const isListed = isOpen && offers.length > 0;
  const isValid = name !== 'tag' || text.trim() === '' || /^[^:]{1,200}:./.test(text.trim());
  const close = () => {
    setIsOpen(false);
    setActive(-1);
  };
  const apply = (chosen: string) => {
    close();
    setText(chosen);
    onChange(chosen);
  };
  const take = (offer: string) => {
    // The name of a tag is followed by its value.
    if (name !== 'tag' || !/^[^:]+:$/.test(offer)) return apply(offer);
    setText(offer);
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIsOpen(true);
      setActive(((active + 1 + step + offers.length + 1) % (offers.length + 1)) - 1);
    } else if (event.key === 'Enter') {
      const offer = isListed ? offers[active]?.value : undefined;
      if (offer !== undefined) take(offer);
      else if (isValid) apply(text.trim());
    } else if (event.key === 'Escape' && isListed) {
      event.preventDefault();
      close();
    }
  };
  return (
    <div className="relative">
      <Input
        role="combobox"
        aria-label={t(`label.${name}`)}
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? listId : undefined}
        aria-activedescendant={isListed && active >= 0 ? `${listId}-${active}` : undefined}
        aria-invalid={(!isValid && !isOpen) || undefined}
        placeholder={t(`label.${name}`)}
        title={name === 'tag' ? t('filter.tag_format') : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={401}
        value={text}
        onFocus={() => setIsOpen(true)}
        onBlur={() => {
          close();
          if (isValid && text.trim() !== value) onChange(text.trim());
        }}
        onClick={() => setIsOpen(true)}
        onChange={(event) => {
          setText(event.target.value);
          setIsOpen(true);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
      />
      {isListed && (
        <SuggestionList
          id={listId}
          label={t(`label.${name}`)}
          suggestions={offers.map((offer) => ({ ...offer, detail: number.format(offer.count) }))}
          active={active}
          onTake={(offer) => take(offer.value)}
        />
      )}
    </div>
  );
}

type Offer = { value: string; count: number };

interface OffersOf extends Pick<ValueFilterProps, 'name' | 'projectId'> {
  text: string;
  isOpen: boolean;
}

/** Values that match the text, most frequent first; none while the field is closed. */
function useOffers({ name, text, projectId, isOpen }: OffersOf): Offer[] {
  const q = useDeferredValue(text.trim());
  const { data } = useQuery({
    ...apiQuery('GET /errors/values', {
      query: { field: FIELDS[name], q, ...(projectId !== '' && { project_id: projectId }) },
    }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const values = isOpen ? (data?.values ?? []) : [];
  return values.length === 1 && values[0]!.value === q ? [] : values;
}
