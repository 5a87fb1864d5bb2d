/** Page of the app. */
export interface AppPage {
  /** Path in the router's syntax. `*` matches every other address. */
  path: string;
  /** Module of the page, relative to `src/`. The component has the same name as the module. */
  module: string;
  /**
   * Folders whose texts load with the page's code. A test compares them with the texts that the
   * page uses.
   */
  texts: readonly string[];
  /** True for pages that require a signed-in user. */
  members: boolean;
  /** True for pages that exist only if the server charges for bookings. */
  money?: boolean;
  /**
   * Requests that the document sends before the code loads. `:id` is replaced with the id in the
   * address.
   */
  first?: string[];
}

const FIRST_TASKS = '/schedules?page=1&page_size=20&status=submitted%2Cprocessing%2Cactive%2Cstopped%2Cerror';
const CREDIT = '/users/credit';
const STATUS = '/status';
const FACILITIES = '/facilities';
const A_TASK = '/schedules/:id/status';
const SEEN = '/schedules/:id/calendar?days=90';
const PROFILE = '/user/profile';
const JOURNAL = '/schedules/:id/journal?limit=10';

/**
 * Pages of the app. They define the router (router.tsx), the documents
 * (pages/[language]/app/[page].astro) and the server's list of routes (pages/routes.json.ts).
 */
export const appPages = {
  dashboard: {
    path: 'dashboard',
    module: 'features/dashboard/DashboardPage',
    texts: ['features/dashboard', 'parts/balance', 'parts/balance/pay', 'parts/dateLine', 'parts/task', 'parts/task/card'],
    members: true,
    first: [FIRST_TASKS, CREDIT, STATUS, FACILITIES],
  },
  wizard: {
    path: 'schedule/wizard',
    module: 'features/wizard/WizardPage',
    texts: [
      'features/wizard',
      'parts/balance',
      'parts/balance/pay',
      'parts/criteria',
      'parts/dateLine',
      'parts/portalAccount',
      'parts/task',
    ],
    members: true,
    first: [CREDIT, FACILITIES, STATUS],
  },
  task: {
    path: 'schedule/:id',
    module: 'features/task/TaskPage',
    texts: ['features/task', 'parts/balance', 'parts/dateLine', 'parts/task', 'parts/task/card'],
    members: true,
    first: [A_TASK, SEEN, JOURNAL, STATUS, FACILITIES],
  },
  bookingReceipt: {
    path: 'schedule/:id/receipt/:n',
    module: 'features/task/BookingReceiptPage',
    texts: ['features/task/receipt', 'parts/task'],
    members: true,
  },
  edit: {
    path: 'schedule/edit/:id',
    module: 'features/task/EditPage',
    texts: ['parts/criteria', 'parts/dateLine', 'parts/task'],
    members: true,
  },
  movements: {
    path: 'balance',
    module: 'features/money/MovementsPage',
    texts: ['features/money', 'parts/balance'],
    members: true,
    money: true,
  },
  payment: {
    path: 'balance/payment',
    module: 'features/money/PaymentPage',
    texts: ['features/money'],
    members: true,
    money: true,
  },
  receipt: {
    path: 'balance/receipt/:id',
    module: 'features/money/ReceiptPage',
    texts: ['features/money', 'parts/balance'],
    members: true,
    money: true,
  },
  settings: {
    path: 'settings',
    module: 'features/settings/SettingsPage',
    texts: ['features/settings'],
    members: true,
    first: [PROFILE, CREDIT, STATUS],
  },
  settingsNotifications: {
    path: 'settings/notifications',
    module: 'features/settings/NotificationsPage',
    texts: ['features/settings', 'parts/channels', 'parts/channels/setup', 'shared/forms'],
    members: true,
    first: ['/user/channels', CREDIT, STATUS],
  },
  settingsVisaAccounts: {
    path: 'settings/visa-accounts',
    module: 'features/settings/VisaAccountsPage',
    texts: ['features/settings', 'parts/portalAccount', 'parts/task'],
    members: true,
    first: ['/user/credentials', CREDIT, STATUS],
  },
  settingsAccount: {
    path: 'settings/account',
    module: 'features/settings/AccountPage',
    texts: ['features/settings', 'shared/forms'],
    members: true,
    first: [PROFILE, CREDIT, STATUS],
  },
  settingsSecurity: {
    path: 'settings/security',
    module: 'features/settings/SecurityPage',
    texts: ['features/settings', 'shared/forms'],
    members: true,
    first: [PROFILE, '/user/totp', CREDIT, STATUS],
  },
  settingsDevices: {
    path: 'settings/devices',
    module: 'features/settings/DevicesPage',
    texts: ['features/settings'],
    members: true,
    first: ['/user/sessions', '/user/security-events', CREDIT, STATUS],
  },
  settingsData: {
    path: 'settings/data',
    module: 'features/settings/DataPage',
    texts: ['features/settings'],
    members: true,
    first: ['/user/deletion', CREDIT, STATUS],
  },
  settingsReferral: {
    path: 'settings/referral',
    module: 'features/settings/ReferralPage',
    texts: ['features/settings'],
    members: true,
    money: true,
    first: ['/users/referral', CREDIT, STATUS],
  },
  testSchedules: {
    path: 'test-schedules',
    module: 'features/support/TestSchedulesPage',
    texts: ['features/support', 'parts/task'],
    members: true,
  },
  invitation: {
    path: 'auth/invitation',
    module: 'features/own/InvitationPage',
    texts: ['features/own', 'parts/account', 'shared/forms'],
    members: false,
  },
  link: {
    path: 'auth/link',
    module: 'features/own/LinkPage',
    texts: ['features/own', 'parts/account'],
    members: false,
  },
  signInLink: {
    path: 'auth/sign-in',
    module: 'features/own/SignInLinkPage',
    texts: ['features/own', 'parts/account', 'shared/forms'],
    members: false,
  },
  notFound: { path: '*', module: 'app/NotFoundPage', texts: [], members: false },
} as const satisfies Record<string, AppPage>;

export type AppPageName = keyof typeof appPages;

/** Returns the name of a page's component, which is also its file name. */
export const componentOf = ({ module }: AppPage) => module.replace(/^.*\//, '');
