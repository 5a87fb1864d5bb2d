import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MovementFilter } from '../../shared/api/money.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { displayToday } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { allMovements, MOST_ROWS, movementsCsv } from './movementsCsv.ts';

/** Renders the button that downloads all movements of the filter as CSV in the page's language. */
export function CsvButton({ filter, disabled }: { filter: MovementFilter; disabled: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const save = useMutation({
    mutationFn: () => allMovements(filter),
    onSuccess: ({ movements, cut }) => {
      const today = displayToday(Date.now());
      const file = new Blob([movementsCsv(movements, t, language)], { type: 'text/csv;charset=utf-8' });
      saveFile(file, `${t('movements.csvName')}-${today}.csv`);
      if (cut) toast.warning(t('movements.csvCut', { count: MOST_ROWS }));
    },
    onError: () => toast.error(t('movements.csvFailed')),
  });
  return (
    <Button
      variant="secondary"
      disabled={disabled || save.isPending}
      onClick={() => save.mutate()}
      start={<Icon of={Download} size={18} />}
    >
      {save.isPending ? t('movements.csvBusy') : t('movements.csv')}
    </Button>
  );
}
