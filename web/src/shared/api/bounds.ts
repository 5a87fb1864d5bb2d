/** The bounds of fields as the OpenAPI document states them. Made by scripts/bounds.mjs; do not edit. */
export const bounds = {
  IntentInput: {
    description: {
      maxLength: 200,
    },
  },
  NewPassword: {
    password: {
      minLength: 8,
      maxLength: 1024,
    },
  },
  PasswordChange: {
    new_password: {
      minLength: 8,
      maxLength: 1024,
    },
  },
  Rate: {
    comment: {
      maxLength: 500,
    },
    stars: {
      minimum: 1,
      maximum: 5,
    },
  },
  Registration: {
    password: {
      minLength: 8,
      maxLength: 1024,
    },
  },
  SearchParams: {
    max_reschedules: {
      minimum: 0,
      maximum: 20,
    },
    min_improvement_days: {
      minimum: 1,
      maximum: 365,
    },
    minimum_days_from_current: {
      minimum: 0,
      maximum: 365,
    },
    required_cities: {
      minItems: 1,
    },
  },
} as const;
