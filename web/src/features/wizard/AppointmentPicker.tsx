import { useTranslation } from 'react-i18next';
import { Section } from '../../parts/criteria/Section.tsx';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { AppointmentChoice } from './AppointmentChoice.tsx';
import styles from './appointments.module.css';
import type { Choice } from './wizardChoice.ts';

interface Props {
  account: string;
  choices: Choice[];
  selected: string[];
  onToggle: (id: string) => void;
  problem?: string;
}

/** Renders the choice of groups. Unavailable groups show the reason. */
export function AppointmentPicker({ account, choices, selected, onToggle, problem }: Props) {
  const { t } = useTranslation();
  return (
    <Section
      part="appointments"
      title={t('wizard.whichAppointments')}
      aside={`${account} · ${t('wizard.groups', { count: choices.length })}`}
      problem={problem}
    >
      <Stack gap={3}>
        <ul className={styles.rows}>
          {choices.map((choice) => (
            <AppointmentChoice
              key={`${choice.group.id}-${choice.appointment.schedule_id}`}
              choice={choice}
              checked={selected.includes(choice.group.id)}
              onToggle={() => onToggle(choice.group.id)}
            />
          ))}
        </ul>
        {choices.every((choice) => choice.barrier) && <Alert tone="info">{t('wizard.noneSelectable')}</Alert>}
      </Stack>
    </Section>
  );
}
