import { ArrowRight, NotepadText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Container } from '../../../shared/ui/Layout.tsx';
import styles from './MoreCases.module.css';

/** Renders a link to the operator's account on a social network, if there is one. */
export function MoreCases() {
  const { t } = useTranslation();
  const facts = useFacts();
  return (
    <If fact="xiaohongshu_id">
      <Container>
        <a href="#contact" className={styles.bar}>
          <Icon of={NotepadText} />
          <span>
            <b>{t('gallery.more')}</b>
            {t('gallery.moreText', { account: facts.xiaohongshu_id })}
          </span>
          <strong>
            <span>{t('gallery.moreButton')}</span>
            <Icon of={ArrowRight} size={18} />
          </strong>
        </a>
      </Container>
    </If>
  );
}
