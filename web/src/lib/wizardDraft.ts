export function forgetWizard(): void {}
