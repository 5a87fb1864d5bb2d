import { LiveStatus } from '../../features/status/LiveStatus.tsx';
import { StatusView } from '../../features/status/StatusView.tsx';
import { type StatusTexts, StatusTextsProvider, template } from '../../features/status/statusTexts.tsx';
import { documentPart, factsHere } from './documentPart.tsx';

function firstTexts(): StatusTexts | typeof template {
  if (typeof factsHere === 'string') return template;
  const { now, past } = factsHere as unknown as StatusTexts;
  return { now, past };
}

const first = firstTexts();

/**
 * Island of /status. It begins with the facts that the server put into the document, and then
 * updates live.
 */
export const StatusDocument = documentPart(function StatusDocument() {
  if (first !== template) return <LiveStatus first={first} />;
  return (
    <StatusTextsProvider texts={template}>
      <StatusView />
    </StatusTextsProvider>
  );
});
