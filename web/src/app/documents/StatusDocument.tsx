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
 * Status page, as an Astro island. It starts with the facts in the document, and then polls the
 * server.
 */
export const StatusDocument = documentPart(function StatusDocument() {
  if (first !== template) return <LiveStatus first={first} />;
  return (
    <StatusTextsProvider texts={template}>
      <StatusView />
    </StatusTextsProvider>
  );
});
