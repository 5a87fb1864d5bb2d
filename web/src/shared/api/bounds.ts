/** Bounds of fields, generated from the OpenAPI document by scripts/bounds.mjs. Do not edit. */
export const CheckPath = {
  required_cities: {
    minItems: 1,
    maxItems: 2,
  },
} as const;
export const Credit = {
  credit: {
    low: {
      afterCharge: 100,
      balance: 50,
    },
  },
} as const;
export const FingerprintParams = {
  cities: {
    maxItems: 3,
  },
  max_days_before: {
    minimum: 1,
    maximum: 60,
  },
  min_days_before: {
    minimum: 1,
    maximum: 60,
  },
} as const;
export const IntentInput = {
  description: {
    maxLength: 200,
  },
} as const;
export const InvitationUse = {
  password: {
    minLength: 8,
    maxLength: 1024,
  },
} as const;
export const NewPasskeyInput = {
  name: {
    maxLength: 60,
  },
} as const;
export const NewPassword = {
  password: {
    minLength: 8,
    maxLength: 1024,
  },
} as const;
export const PasswordChange = {
  new_password: {
    minLength: 8,
    maxLength: 1024,
  },
} as const;
export const ProfileChange = {
  display_name: {
    maxLength: 40,
  },
} as const;
export const Rate = {
  comment: {
    maxLength: 500,
  },
  stars: {
    minimum: 1,
    maximum: 5,
  },
} as const;
export const Registration = {
  password: {
    minLength: 8,
    maxLength: 1024,
  },
  referral_code: {
    maxLength: 32,
  },
} as const;
export const ReplacedBrowser = {
  endpoint: {
    maxLength: 4096,
  },
} as const;
export const SearchParams = {
  end_date: {
    days: {
      furthest: 3660,
      longestWindow: 1098,
    },
  },
  max_reschedules: {
    minimum: 0,
    maximum: 20,
    default: 2,
  },
  min_improvement_days: {
    minimum: 1,
    maximum: 365,
    default: 7,
  },
  minimum_days_from_current: {
    minimum: 0,
    maximum: 365,
  },
  required_cities: {
    minItems: 1,
  },
  weekdays: {
    maxItems: 7,
  },
} as const;
export const SignInLinkUse = {
  code: {
    maxLength: 32,
  },
} as const;
export const Submit = {
  promo_code: {
    maxLength: 64,
  },
  referral_code: {
    maxLength: 64,
  },
} as const;
