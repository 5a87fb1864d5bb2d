import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown instead of what broke; `again` tries it anew. */
  fallback: (again: () => void) => ReactNode;
  children: ReactNode;
}

/** Keeps what breaks in one part, or code that could not be fetched, from taking the page with it. */
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
