import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { Section } from '../../parts/criteria/Section.tsx';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { AppointmentChoice } from './AppointmentChoice.tsx';
import type { Choice } from './wizardChoice.ts';

interface Props {
  account: string;
  choices: Choice[];
  selected: string[];
  onToggle: (id: string) => void;
  problem?: string;
}

/** Which appointments? Those that cannot be chosen say why. */
export function AppointmentPicker({ account, choices, selected, onToggle, problem }: Props) {
  const { t } = useTranslation();
  return (
    <Section
      part="appointments"
      title={t('wizard.whichAppointments')}
      aside={`${account} · ${t('wizard.groups', { count: choices.length })}`}
      problem={problem}
    >
      <Box component="ul" sx={{ display: 'grid', gap: 1.25 }}>
        {choices.map((choice) => (
          <AppointmentChoice
            key={`${choice.group.id}-${choice.appointment.schedule_id}`}
            choice={choice}
            checked={selected.includes(choice.group.id)}
            onToggle={() => onToggle(choice.group.id)}
          />
        ))}
      </Box>
      {choices.every((choice) => choice.barrier) && (
        <Box sx={{ mt: 1.5 }}>
          <Notice tone="info">{t('wizard.noneSelectable')}</Notice>
        </Box>
      )}
    </Section>
  );
}
