import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { TextField } from './TextField.tsx';
import { useUiTexts } from './UiTexts.tsx';

/** Renders a password field with a button that shows or hides the password. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'end' | 'code'>) {
  const texts = useUiTexts();
  const [shown, setShown] = useState(false);
  return (
    <TextField
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton
          label={shown ? texts.hidePassword : texts.showPassword}
          aria-pressed={shown}
          disabled={props.disabled}
          onClick={() => setShown(!shown)}
        >
          <Icon of={shown ? EyeOff : Eye} />
        </IconButton>
      }
    />
  );
}
