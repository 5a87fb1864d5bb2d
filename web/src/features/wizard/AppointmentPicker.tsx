import { useTranslation } from 'react-i18next';
import { Section } from '../../parts/criteria/Section.tsx';
import type { Verification } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { AppointmentChoice } from './AppointmentChoice.tsx';
import styles from './appointments.module.css';
import type { Choice } from './wizardChoice.ts';

const leftOutTexts: Record<string, TextKey> = {
  unknown_city: 'leftOut.unknownCity',
  fingerprints_only: 'leftOut.fingerprintsOnly',
  unreadable: 'leftOut.unreadable',
};

interface Props {
  account: string;
  choices: Choice[];
  /** Groups of the account that the server cannot hold. */
  leftOut: Verification['left_out'];
  selected: string[];
  onToggle: (id: string) => void;
  problem?: string;
}

/** Renders the choice of groups. Unavailable groups show the reason. */
export function AppointmentPicker({ account, choices, leftOut, selected, onToggle, problem }: Props) {
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
        {leftOut.map(({ portal_schedule_id, reason, city }) => (
          <Alert key={portal_schedule_id} tone="info" title={t('wizard.number', { number: portal_schedule_id })}>
            {t(leftOutTexts[reason] ?? 'leftOut.unreadable', { city: city ?? '' })}
          </Alert>
        ))}
        {choices.every((choice) => choice.barrier) && <Alert tone="info">{t('wizard.noneSelectable')}</Alert>}
      </Stack>
    </Section>
  );
}
