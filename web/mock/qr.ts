/** Returns an image that looks like a QR code. */
export function picture(): string {
  const cells = Array.from({ length: 29 * 29 }, (_, cell) => {
    const [x, y] = [cell % 29, Math.floor(cell / 29)];
    return (x * 7 + y * 11 + x * y * 3) % 5 < 2 ? `<rect x="${x}" y="${y}" width="1" height="1"/>` : '';
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 33 33"><rect x="-2" y="-2" width="33" height="33" fill="#fff"/>${cells.join('')}</svg>`;
}
