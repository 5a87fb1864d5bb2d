import { LiveStatus } from '../../features/status/LiveStatus.tsx';
import { StatusView } from '../../features/status/StatusView.tsx';
import { type Told, ToldProvider, template } from '../../features/status/told.tsx';
import { documentPart, factsHere } from './documentPart.tsx';

function told(): Told | typeof template {
  if (typeof factsHere === 'string') return template;
  const { now, past } = factsHere as unknown as Told;
  return { now, past };
}

const first = told();

/** /status as an island: what the server told as it sent the document, and live from then on. */
export const StatusDocument = documentPart(function StatusDocument() {
  if (first !== template) return <LiveStatus first={first} />;
  return (
    <ToldProvider told={template}>
      <StatusView />
    </ToldProvider>
  );
});
