import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { toast } from 'sonner';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { changeLanguage } from '../../lib/changeLanguage.ts';
import { Segmented } from '../../ui/Segmented.tsx';

/** The language of the pages and of the mails. */
export function LanguageSetting() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Card
      component="section"
      id="language"
      sx={{ p: { xs: 2, sm: 2.5 }, display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}
    >
      <Box sx={{ flex: '1 1 240px' }}>
        <Typography variant="h6" component="h2">
          {t('settings.language')}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('settings.languageText')}
        </Typography>
      </Box>
      <Segmented
        label={t('settings.language')}
        value={language}
        options={[
          { value: 'en', label: t('settings.english'), lang: 'en' },
          { value: 'zh', label: t('settings.chinese'), lang: 'zh-CN' },
        ]}
        onChange={(next) =>
          changeLanguage(next)
            .then(() => toast.success(i18next.t('settings.languageSaved')))
            .catch(() => toast.error(i18next.t('settings.languageFailed')))
        }
      />
    </Card>
  );
}
