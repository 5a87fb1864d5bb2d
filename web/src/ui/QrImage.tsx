import Box from '@mui/material/Box';
import { QRCodeCanvas } from 'qrcode.react';
import { useState } from 'react';

interface Props {
  /** What the code says. */
  value: string;
  /** What it is, for those who do not see it. */
  alt: string;
  /** Pixels on the page; drawn with twice as many. */
  size?: number;
}

/** A QR code as a picture, so that a long press in WeChat recognises it. Black on white in both schemes, for cameras. */
export function QrImage({ value, alt, size = 160 }: Props) {
  const [source, setSource] = useState<string | null>(null);
  const take = (canvas: HTMLCanvasElement | null) => {
    if (canvas && source === null) setSource(canvas.toDataURL('image/png'));
  };
  return (
    <Box sx={{ width: size, height: size, borderRadius: '12px', overflow: 'hidden', bgcolor: 'common.white' }}>
      {source === null ? (
        <QRCodeCanvas ref={take} value={value} size={size * 2} level="M" marginSize={3} style={{ width: size, height: size }} />
      ) : (
        <img src={source} alt={alt} width={size} height={size} style={{ display: 'block' }} />
      )}
    </Box>
  );
}
