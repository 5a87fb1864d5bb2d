import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { passwordStrength, REGISTER_CLASSES } from '../../shared/forms/passwordStrength.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

const BARS = [1, 2, 3, 4];

/** Four bars, the word for them, and what is still missing. */
export function StrengthMeter({ password, wanted = REGISTER_CLASSES }: { password: string; wanted?: typeof REGISTER_CLASSES }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!password) return null;
  const { score, label, missing } = passwordStrength(password, wanted);
  return (
    <Box sx={{ mt: 1 }} aria-live="polite">
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(4,1fr) auto', gap: 0.5, alignItems: 'center' }}>
        {BARS.map((bar) => (
          <Box
            key={bar}
            sx={{
              height: 4,
              borderRadius: '2px',
              bgcolor: bar <= score ? (score <= 1 ? 'warning.main' : 'primary.main') : 'background.track',
            }}
          />
        ))}
        <Typography variant="caption" color="textSecondary" sx={{ ml: 1 }}>
          {t(label)}
        </Typography>
      </Box>
      <Typography variant="caption" component="p" color="textTertiary">
        {missing.length === 0
          ? t('auth.strongPassword')
          : t('auth.stillNeeds', {
              list: joined(
                missing.map((key) => t(key) as string),
                language,
              ),
            })}
      </Typography>
    </Box>
  );
}
