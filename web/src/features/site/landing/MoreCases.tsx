import Container from '@mui/material/Container';
import { styled } from '@mui/material/styles';
import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { Icon } from '../../../shared/legacy/Icon.tsx';

const Bar = styled('a')(({ theme: { vars, breakpoints, shadows, transitions } }) => {
  const { palette } = vars;
  return {
    display: 'flex',
    alignItems: 'center',
    gap: 14,
    // Belongs to the gallery above: it stands within the gallery's air.
    margin: '-28px 0 56px',
    padding: '14px 16px',
    borderRadius: 16,
    border: `1px solid ${palette.divider}`,
    background: palette.background.paper,
    boxShadow: shadows[1],
    color: palette.text.primary,
    textDecoration: 'none',
    transition: `border-color ${transitions.duration.shortest}ms`,
    [breakpoints.up('md')]: { margin: '-72px 0 112px', padding: '16px 24px 16px 16px' },
    '&:hover': { borderColor: palette.control },
    '& > svg': {
      boxSizing: 'content-box',
      padding: 14,
      borderRadius: 12,
      background: palette.primary.soft,
      color: palette.primary.ink,
    },
    '& > span': { flex: 1, minWidth: 0, fontSize: 14, lineHeight: 1.6, color: palette.text.secondary },
    '& b': { display: 'block', fontSize: 16, fontWeight: 600, color: palette.text.primary },
    '& strong': {
      display: 'flex',
      alignItems: 'center',
      gap: 6,
      whiteSpace: 'nowrap',
      fontSize: 15,
      fontWeight: 600,
      color: palette.primary.ink,
    },
    [breakpoints.down('sm')]: { '& strong span': { display: 'none' } },
  };
});

/** Where more is told: the operator's account elsewhere. Nothing when there is none. */
export function MoreCases() {
  const { t } = useTranslation();
  const facts = useFacts();
  return (
    <If fact="xiaohongshu_id">
      <Container>
        <Bar href="#contact">
          <Icon name="note" />
          <span>
            <b>{t('gallery.more')}</b>
            {t('gallery.moreText', { account: facts.xiaohongshu_id })}
          </span>
          <strong>
            <span>{t('gallery.moreButton')}</span>
            <Icon name="arrowRight" size={18} />
          </strong>
        </Bar>
      </Container>
    </If>
  );
}
