import { DeleteAccountSetting } from './DeleteAccountSetting.tsx';
import { ExportSetting } from './ExportSetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** Renders /settings/data: the export of the user's data and the deletion of the account. */
export function DataPage() {
  return (
    <SettingsFrame topic="data">
      <ExportSetting />
      <DeleteAccountSetting />
    </SettingsFrame>
  );
}
