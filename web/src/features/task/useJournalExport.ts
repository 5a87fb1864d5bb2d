import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { JournalEntry, JournalPage, Task } from '../../shared/api/types.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { csv } from '../../shared/format/csv.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { breakable, displayToday, instantParts, zoneName } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { foldPolls } from './journal.ts';
import { readJournal } from './queries.ts';
import { useJournalTexts } from './useJournalTexts.ts';

const PAGE = 100;

/** Requests all pages of a task's journal, newest first. */
async function wholeJournal(id: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  let before: string | null = null;
  do {
    const page: JournalPage = await readJournal(id, before, PAGE);
    entries.push(...page.entries);
    before = page.next;
  } while (before !== null);
  return foldPolls(entries);
}

/** Returns a function that downloads the whole journal as a table, in the page's language. */
export function useJournalExport(task: Task) {
  const { t } = useTranslation();
  const language = useLanguage();
  const rowText = useJournalTexts();
  const moment = (instant: string) => {
    const { date, time } = instantParts(instant);
    return `${date} ${time}`;
  };
  return useMutation({
    mutationFn: async () => {
      const entries = await wholeJournal(task.id);
      const heads = [
        t('journal.csvFrom', { zone: zoneName(language) }),
        t('journal.csvUntil'),
        t('journal.csvWhat'),
        t('journal.csvDetail'),
        t('journal.csvCount'),
      ];
      const rows = entries.map((entry) => {
        const line = rowText(entry);
        return [moment(entry.at), entry.until ? moment(entry.until) : '', line.title, line.text ?? '', String(entry.count)];
      });
      const text = breakable(csv([heads, ...rows]));
      const name = `sooner-journal-${task.portal_schedule_id}-${displayToday(Date.now())}.csv`;
      saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
      return name;
    },
    onSuccess: (name) => toast.success(t('journal.exported', { name })),
    onError: (error) => toast.error(t(errorText(error, 'journal.exportFailed'))),
  });
}
