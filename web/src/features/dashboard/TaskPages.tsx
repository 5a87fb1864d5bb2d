import { useTranslation } from 'react-i18next';
import { PAGE_SIZE } from '../../shared/api/taskList.ts';
import { Row } from '../../shared/ui/Layout.tsx';
import { Pagination } from '../../shared/ui/Pagination.tsx';
import { Text } from '../../shared/ui/Text.tsx';

interface Props {
  page: number;
  total: number;
  onChange: (page: number) => void;
}

/** Renders the range of displayed tasks and the page numbers, if there is more than one page. */
export function TaskPages({ page, total, onChange }: Props) {
  const { t } = useTranslation();
  const from = (page - 1) * PAGE_SIZE + 1;
  return (
    <Row gap={2} justify="between">
      <Text variant="caption" color="secondary">
        {t('dashboard.shown', { from, to: Math.min(total, page * PAGE_SIZE), count: total })}
      </Text>
      <Pagination label={t('dashboard.pages')} page={page} pages={Math.ceil(total / PAGE_SIZE)} onChange={onChange} />
    </Row>
  );
}
