import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Section } from './Section.tsx';

interface Props {
  /** Name of the city in the page's language. */
  city: string;
  /** Earliest date that was seen in the city. */
  seen?: string;
  chosen: boolean;
  onChoose: () => void;
}

/** Renders the only city of a country in one line. It is chosen automatically. */
export function OnlyCity({ city, seen, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const choose = useEffectEvent(onChoose);
  useEffect(() => {
    if (!chosen) choose();
  }, [chosen]);
  return (
    <Section part="cities" title={t('editor.whereOnly')}>
      <Text>
        <Pieces of={[t('editor.onlyCity', { city }), seen && t('editor.citySeen', { date: seen })]} />
      </Text>
    </Section>
  );
}
