/** The demo's page: digits above their reconstructions, and the loss of each epoch. */

import { grayPng } from "./png.ts";

export interface DemoResult {
  originals: Float32Array;
  reconstructions: Float32Array;
  /** The mean loss of each epoch. */
  curve: readonly number[];
  device: string;
  seconds: number;
}

const side = 28;
const columns = 12;

export function demoPage({ originals, reconstructions, curve, device, seconds }: DemoResult): string {
  const epochs = curve.length;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Telltale: digits through ten numbers</title>
<style>
  :root { color-scheme: light dark; --ink: #1c2733; --soft: #5a6775; --paper: #fbfaf7; --line: #0b6e99; --grid: #dcd9d0; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8e6df; --soft: #a3adb8; --paper: #14191f; --line: #5cc1ea; --grid: #2c343d; } }
  body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
  h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; }
  h2 { font-size: 1.1rem; margin: 2.2rem 0 .5rem; }
  p { margin: .5rem 0; }
  .soft { color: var(--soft); }
  .digits { width: 100%; image-rendering: pixelated; border-radius: 6px; display: block; }
  svg { width: 100%; height: auto; display: block; overflow: visible; }
  svg text { fill: var(--soft); font-size: 12px; }
</style>
<h1>Digits, squeezed through ten numbers</h1>
<p>Each handwritten digit has 784 pixels. An autoencoder (784-500-500-2000-10 and back) learned to write it down as ten
numbers and to draw it again from those ten alone. In every pair of rows, the digits as they were written are above, and what was drawn from ten numbers is below.</p>
<p class="soft">${epochs} epochs over 10,000 digits in ${seconds.toFixed(0)} seconds; ${escaped(device)}.</p>
<h2>Written, and drawn again</h2>
<img class="digits" alt="Sixty handwritten digits, each above its reconstruction" src="data:image/png;base64,${sheet(originals, reconstructions).toString("base64")}">
<h2>Mean squared error, epoch by epoch</h2>
${chart(curve)}
</html>
`;
}

/** Rows of originals, each above the row of their reconstructions, a little apart from the next pair. */
function sheet(originals: Float32Array, reconstructions: Float32Array): Buffer {
  const rows = originals.length / (side * side) / columns;
  const [pitch, gap] = [side + 2, 10];
  const width = columns * pitch + 2;
  const height = rows * (2 * pitch + gap) - gap + 2;
  const pixels = new Uint8Array(width * height).fill(12);
  for (let i = 0; i < rows * columns; i++) {
    const top = Math.floor(i / columns) * (2 * pitch + gap) + 2;
    const left = (i % columns) * pitch + 2;
    [originals, reconstructions].forEach((images, below) => {
      for (let y = 0; y < side; y++) {
        for (let x = 0; x < side; x++) {
          const value = images[i * side * side + y * side + x]!;
          pixels[(top + below * pitch + y) * width + left + x] = 12 + Math.round(243 * value);
        }
      }
    });
  }
  return grayPng(pixels, width);
}

function chart(curve: readonly number[]): string {
  const [width, height] = [640, 180];
  const top = Math.max(...curve) * 1.05;
  const x = (epoch: number): number => 44 + (epoch / Math.max(1, curve.length - 1)) * (width - 60);
  const y = (loss: number): number => height - 24 - (loss / top) * (height - 34);
  const line = curve.map((loss, epoch) => `${x(epoch).toFixed(1)},${y(loss).toFixed(1)}`).join(" ");
  const levels = [0, 0.25, 0.5, 0.75, 1].map((share) => share * Math.max(...curve));
  const grid = levels.map(
    (level) =>
      `<line x1="44" x2="${width - 16}" y1="${y(level)}" y2="${y(level)}" stroke="var(--grid)"/><text x="38" y="${y(level) + 4}" text-anchor="end">${level.toFixed(3)}</text>`,
  );
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="The loss falls from ${curve[0]!.toFixed(4)} to ${curve.at(-1)!.toFixed(4)}">
${grid.join("\n")}
<polyline points="${line}" fill="none" stroke="var(--line)" stroke-width="2.5" stroke-linejoin="round"/>
<text x="44" y="${height - 6}">epoch 1</text><text x="${width - 16}" y="${height - 6}" text-anchor="end">epoch ${curve.length}</text>
</svg>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
