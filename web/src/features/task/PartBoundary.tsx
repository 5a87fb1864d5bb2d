import { Component, type ReactNode } from 'react';

interface Props {
  /** Replaces the broken part. `again` retries it. */
  fallback: (again: () => void) => ReactNode;
  children: ReactNode;
}

/** Confines an error in one part, or a failed load of its code, to that part. */
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
