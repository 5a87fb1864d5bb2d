import { useTranslation } from 'react-i18next';
import { Alert } from '../../shared/ui/Alert.tsx';
import { ChangeConsent } from './ChangeConsent.tsx';
import { Section } from './Section.tsx';
import type { SearchForm } from './searchForm.ts';
import type { EditorFacts } from './WindowSection.tsx';

interface Props {
  /** Number of reschedules that the country allows for life. */
  limit: number;
  form: SearchForm;
  facts: EditorFacts;
  onChange: (form: SearchForm) => void;
}

/**
 * Renders the section about a limit for life. None of its reschedules is used without the user's
 * consent.
 */
export function LifeLimitSection({ limit, form, facts, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Section title={t('editor.lifeTitle')}>
      <Alert tone="warning">{t('editor.lifeText', { count: limit })}</Alert>
      <ChangeConsent
        form={form}
        today={facts.today}
        label={t('editor.lifeConsent')}
        hint={t('editor.lifeHint')}
        onChange={onChange}
      />
    </Section>
  );
}
