import { ArrowRight } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goToProblem } from '../../parts/criteria/editorParts.ts';
import { ParameterEditor } from '../../parts/criteria/ParameterEditor.tsx';
import { ProblemList } from '../../parts/criteria/ProblemList.tsx';
import { formProblems, type SearchForm } from '../../parts/criteria/searchForm.ts';
import type { Task } from '../../shared/api/types.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { AppointmentPicker } from './AppointmentPicker.tsx';
import { CachedNotice } from './CachedNotice.tsx';
import { ConfigureProblem } from './ConfigureProblem.tsx';
import { followChoice } from './followChoice.ts';
import { PathCheck } from './PathCheck.tsx';
import styles from './page.module.css';
import { useConfigure } from './useConfigure.ts';
import { useRefresh } from './useRefresh.ts';
import type { CachedVerification } from './verifyCache.ts';
import { WizardBar } from './WizardBar.tsx';
import { type Choice, chosenOf, expiringOf, heldDatesOf } from './wizardChoice.ts';
import type { WizardDraft } from './wizardDraft.ts';

const FasterChannels = lazyComponent(() =>
  withTexts(
    ['parts/channels/setup', 'parts/channels', 'shared/forms'],
    async () => (await import('../../parts/channels/setup/FasterChannels.tsx')).FasterChannels,
  ),
);

/** Age up to which a list counts as just loaded. */
const JUST_READ_MS = 60_000;

interface Props {
  draft: WizardDraft;
  form: SearchForm;
  cached: CachedVerification;
  choices: Choice[];
  selected: string[];
  /** English names of the country's cities that can be chosen. */
  cities: string[];
  /** Tasks of the user, or null if they could not be loaded. */
  tasks: Task[] | null;
  /** Portal password that the user typed in step 1. It is empty after a reload of the page. */
  password: RefObject<string>;
  onChange: (part: Partial<WizardDraft>) => void;
  onPrevious: () => void;
  onConfigured: () => void;
}

/** Renders step 2: the choice of groups, and the search criteria. */
export function StepConfigure(props: Props) {
  const { draft, form, cached, choices, selected, cities, tasks, password, onChange, onPrevious, onConfigured } = props;
  const { t } = useTranslation();
  const today = useToday(draft.countryCode);
  const [asked, setAsked] = useState(false);
  // True if the list was just loaded in step 1. Its age is then not shown.
  const [justRead] = useState(() => Date.now() - cached.readAtMs < JUST_READ_MS);
  const chosen = chosenOf(choices, selected);
  const problems: TextKey[] = [...(chosen.length === 0 ? (['wizard.selectOne'] as TextKey[]) : []), ...formProblems(form, today)];
  const expiring = expiringOf(chosen, today);
  const refresh = useRefresh(draft, password);
  const configure = useConfigure((configured) => onChange({ configured }), onConfigured);
  const next = () => {
    setAsked(true);
    if (problems[0]) goToProblem(problems[0]);
    else if (!refresh.busy) configure.mutate({ chosen, form, configured: draft.configured });
  };
  // Clears the problems of the previous criteria.
  const edit = (part: Partial<WizardDraft>) => {
    configure.reset();
    onChange({ ...part, configured: [] });
  };
  const toggle = (id: string) => {
    const next = selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id];
    edit({ selected: next, form: followChoice(draft.form, chosen, chosenOf(choices, next), cities) });
  };
  const notice = (
    <CachedNotice
      draft={draft}
      readAtMs={cached.readAtMs}
      refresh={refresh}
      locked={configure.isPending}
      quiet={justRead}
      onOtherAccount={onPrevious}
    />
  );
  return (
    <div className={styles.stack}>
      {!justRead && notice}
      {tasks === null && <Alert tone="warning">{t('wizard.tasksUnknown')}</Alert>}
      <Card>
        <AppointmentPicker
          account={draft.username}
          choices={choices}
          // A response that an older page has cached lacks them.
          leftOut={cached.verification.left_out ?? []}
          selected={selected}
          problem={asked && chosen.length === 0 ? t('wizard.selectOne') : undefined}
          onToggle={toggle}
        />
        <ParameterEditor
          form={form}
          facts={{
            today,
            ...heldDatesOf(chosen),
            seen: (tasks ?? []).flatMap((task) => task.seen_dates),
            attemptsLeft: null,
            hasFingerprints: chosen.some(({ appointment }) => appointment.fingerprints),
          }}
          countryCode={draft.countryCode}
          problems={asked ? problems : []}
          onChange={(changed) => edit({ form: changed })}
          askNote={<FasterChannels />}
        />
        {(expiring || (asked && problems.length > 0) || configure.isError) && (
          <div className={styles.warnings}>
            {expiring && (
              <Alert tone="warning" title={t('wizard.expiringTitle', { count: expiring.count })}>
                {t('wizard.expiringText', { date: expiring.first })}
              </Alert>
            )}
            {asked && <ProblemList problems={problems} onTheWay />}
            {configure.isError && <ConfigureProblem error={configure.error} />}
          </div>
        )}
        <WizardBar
          onPrevious={configure.isPending ? undefined : onPrevious}
          problem={asked && problems[0] ? t(problems[0]) : undefined}
        >
          <Button onClick={next} loading={configure.isPending} disabled={refresh.busy} end={<Icon of={ArrowRight} size={18} />}>
            {t('wizard.next')}
          </Button>
        </WizardBar>
      </Card>
      {justRead && notice}
      {chosen[0] && form.cities.length > 0 && (
        <PathCheck key={`${chosen[0].group.id} ${form.cities.join()}`} id={chosen[0].group.id} cities={form.cities} />
      )}
    </div>
  );
}
