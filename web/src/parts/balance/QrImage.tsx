import { QRCodeCanvas, QRCodeSVG } from 'qrcode.react';
import { useEffect, useRef, useState } from 'react';

const SHOWN_PX = 220;
/** Drawn larger than shown, so that a saved picture is sharp. */
const DRAWN_PX = 660;
const QUIET_MODULES = 2;

/**
 * A QR code as an `<img>` with a PNG in it: chat apps recognise and save pictures on a long press, and neither canvas nor SVG.
 * Where a canvas cannot be read (some privacy settings), the SVG stands in. Give it the value as `key`: it is drawn once.
 */
export function QrImage({ value, label }: { value: string; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    try {
      const drawn = canvas.current?.toDataURL('image/png');
      setUrl(drawn?.startsWith('data:image/png') ? drawn : null);
    } catch {
      setUrl(null);
    }
  }, []);
  return (
    <>
      <QRCodeCanvas ref={canvas} value={value} size={DRAWN_PX} level="M" marginSize={QUIET_MODULES} style={{ display: 'none' }} />
      {url ? (
        <img src={url} alt={label} width={SHOWN_PX} height={SHOWN_PX} />
      ) : (
        <QRCodeSVG value={value} title={label} size={SHOWN_PX} level="M" marginSize={QUIET_MODULES} />
      )}
    </>
  );
}
