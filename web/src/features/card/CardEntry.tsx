import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import { useTheme } from '@mui/material/styles';
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { StripeCardElementChangeEvent } from '@stripe/stripe-js';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmCard } from './confirm.ts';
import { hearParent, type PayOrder, tellParent } from './parent.ts';

interface Props {
  mode: 'light' | 'dark';
  onPaying: (on: boolean) => void;
}

/** The card's own fields, which the provider draws; they are confirmed when the page that frames this one says so. */
export function CardEntry({ mode, onPaying }: Props) {
  const { t } = useTranslation();
  const { fontFamily } = useTheme().typography;
  const palette = useTheme().colorSchemes?.[mode]?.palette;
  const library = useStripe();
  const elements = useElements();
  const label = useId();
  const note = useId();
  const busy = useRef(false);
  const [paying, setPaying] = useState(false);
  const [focused, setFocused] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const pay = useEffectEvent(async ({ clientSecret }: PayOrder) => {
    if (busy.current) return;
    busy.current = true;
    setPaying(true);
    onPaying(true);
    tellParent({ type: 'processing' });
    const news = await confirmCard(library, elements?.getElement(CardElement) ?? null, clientSecret);
    busy.current = false;
    setPaying(false);
    onPaying(false);
    tellParent(news);
  });
  useEffect(() => hearParent((order) => void pay(order)), []);
  const change = (event: StripeCardElementChangeEvent) => setWrong(event.error?.message ?? null);
  return (
    <Box>
      <Box id={label} sx={{ fontSize: 14, fontWeight: 600, lineHeight: 1.5, mb: 0.75 }}>
        {t('pay.card')}
      </Box>
      <Box
        role="group"
        aria-labelledby={label}
        aria-describedby={wrong ? note : undefined}
        sx={{
          minHeight: 48,
          px: 1.75,
          py: 1.5,
          borderRadius: 1,
          border: 1,
          borderColor: wrong ? 'error.ink' : focused ? 'primary.main' : 'control',
          // Within the border: what is outside the frame is not to be seen.
          boxShadow: (theme) => (focused ? `inset 0 0 0 2px ${theme.vars?.palette.ring}` : 'none'),
          bgcolor: 'background.paper',
          opacity: paying ? 0.6 : 1,
        }}
      >
        <CardElement
          onReady={() => tellParent({ type: 'ready' })}
          onChange={change}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          options={{
            hidePostalCode: true,
            disabled: paying,
            style: {
              base: {
                fontSize: '16px',
                fontFamily,
                color: palette?.text.primary,
                iconColor: palette?.text.secondary,
                '::placeholder': { color: palette?.text.tertiary },
              },
              invalid: { color: palette?.error.ink, iconColor: palette?.error.ink },
            },
          }}
        />
      </Box>
      {wrong && (
        <FormHelperText id={note} error role="alert" sx={{ mx: 0, fontSize: 13, '&.Mui-error': { color: 'error.ink' } }}>
          {wrong}
        </FormHelperText>
      )}
    </Box>
  );
}
