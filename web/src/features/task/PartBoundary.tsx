import { Component, type ReactNode } from 'react';

interface Props {
  /** Returns the content that replaces the failed card. Calling `again` renders the card again. */
  fallback: (again: () => void) => ReactNode;
  children: ReactNode;
}

/** Error boundary for one card: an error, or code that failed to load, affects only this card. */
export class PartBoundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return this.props.fallback(() => this.setState({ broken: false }));
  }
}
