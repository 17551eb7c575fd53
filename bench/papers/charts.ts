/** Panels of lines, points and pictures, as an SVG that reads on light and on dark. */

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
  readonly isDashed?: boolean;
  /** Marks at the points, and no line between them. */
  readonly isDotted?: boolean;
}

export interface LinePanel {
  readonly title: string;
  readonly x: string;
  readonly y?: string;
  readonly series: readonly Series[];
  readonly isLogarithmic?: boolean;
  /** The same length for a unit on both axes. */
  readonly isSquare?: boolean;
  readonly from?: number;
  readonly to?: number;
}

/** Points in the colors of their classes, with marks at centers. */
export interface PointPanel {
  readonly title: string;
  readonly points: readonly (readonly [x: number, y: number, group: number])[];
  readonly centers?: readonly (readonly [number, number])[];
}

/** Rows of pictures, each a PNG in base64. */
export interface PictureRow {
  readonly title: string;
  readonly pictures: readonly string[];
}

const size = { width: 400, height: 270, left: 50, right: 14, top: 34, bottom: 44 };

/** Something drawn, and the room it takes. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

export function lineChart(title: string, panels: readonly LinePanel[], across = 2): string {
  return svg(title, [sheet(panels.map(linePanel), across, size)]);
}

export function pointChart(title: string, panels: readonly PointPanel[], across = 3): string {
  return svg(title, [points(panels, across)]);
}

export function pictureChart(title: string, rows: readonly PictureRow[]): string {
  return svg(title, [pictures(title, rows)]);
}

export function points(panels: readonly PointPanel[], across = 3): Drawing {
  return sheet(panels.map(pointPanel), across, square);
}

export function pictures(title: string, rows: readonly PictureRow[], side = 44): Drawing {
  const left = 150;
  const most = Math.max(...rows.map(({ pictures }) => pictures.length));
  const body = rows.map(({ title, pictures }, at) => {
    const y = 28 + at * (side + 6);
    const images = pictures.map(
      (png, i) =>
        `<image x="${left + i * (side + 4)}" y="${y}" width="${side}" height="${side}" style="image-rendering:pixelated" href="data:image/png;base64,${png}"/>`,
    );
    return `<text x="8" y="${y + side / 2 + 4}">${title}</text>${images.join("")}`;
  });
  return {
    width: left + most * (side + 4) + 8,
    height: rows.length * (side + 6) + 34,
    body: `<text x="8" y="18" font-weight="600">${title}</text>${body.join("\n")}`,
  };
}

function sheet(panels: readonly string[], across: number, one: { width: number; height: number }): Drawing {
  const columns = Math.min(across, panels.length);
  const placed = panels.map(
    (panel, at) =>
      `<g transform="translate(${(at % columns) * one.width} ${Math.floor(at / columns) * one.height})">${panel}</g>`,
  );
  const height = Math.ceil(panels.length / columns) * one.height;
  return { width: columns * one.width, height, body: placed.join("\n") };
}

/** Drawings one below the other, as a file. */
export function svg(title: string, drawings: readonly Drawing[]): string {
  const strokes = colors.map(([light], i) => `.s${i}{stroke:${light}}.f${i}{fill:${light}}`).join("");
  const darker = colors.map(([, dark], i) => `.s${i}{stroke:${dark}}.f${i}{fill:${dark}}`).join("");
  const width = Math.max(...drawings.map((drawing) => drawing.width));
  let height = 0;
  const placed = drawings.map((drawing) => {
    const at = height;
    height += drawing.height;
    return `<g transform="translate(0 ${at})">${drawing.body}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="11">
<title>${title}</title>
<style>text{fill:#333}.axis{stroke:#9993;fill:none}.line{fill:none;stroke-width:1.6}.dots{fill:none;stroke-width:2.6;stroke-linecap:round;opacity:.75}.mark{fill:#111;stroke:#fff}${strokes}@media (prefers-color-scheme:dark){text{fill:#ccc}.mark{fill:#fff;stroke:#111}${darker}}</style>
${placed.join("\n")}
</svg>
`;
}

/** On light and on dark; ten classes are told apart. */
const colors = [
  ["#c2410c", "#fb923c"],
  ["#1d4ed8", "#60a5fa"],
  ["#15803d", "#4ade80"],
  ["#7e22ce", "#c084fc"],
  ["#b91c1c", "#f87171"],
  ["#0f766e", "#2dd4bf"],
  ["#a16207", "#facc15"],
  ["#be185d", "#f472b6"],
  ["#4b5563", "#9ca3af"],
  ["#4d7c0f", "#a3e635"],
] as const;

function linePanel({ title, x, y, series, isLogarithmic, isSquare, from, to }: LinePanel): string {
  const { width, height, left, right, top, bottom } = size;
  const place = (value: number): number => (isLogarithmic ? Math.log10(value) : value);
  const [xs, ys] = [0, 1].map((axis) => series.flatMap(({ points }) => points.map((point) => point[axis]!))) as [
    number[],
    number[],
  ];
  let [low, high] = rangeOf(xs.map(place));
  let [bottomMost, topMost] = rangeOf(ys);
  [bottomMost, topMost] = [from ?? bottomMost, to ?? topMost];
  if (isSquare) {
    const [wider, taller] = [0.08 * (high - low), 0.08 * (topMost - bottomMost)];
    [low, high, bottomMost, topMost] = [low - wider, high + wider, bottomMost - taller, topMost + taller];
    const unit = Math.max((high - low) / (width - left - right), (topMost - bottomMost) / (height - top - bottom));
    const [wide, tall] = [unit * (width - left - right), unit * (height - top - bottom)];
    [low, high] = [(low + high - wide) / 2, (low + high + wide) / 2];
    [bottomMost, topMost] = [(bottomMost + topMost - tall) / 2, (bottomMost + topMost + tall) / 2];
  }
  const acrossOf = (value: number): number =>
    left + ((place(value) - low) / (high - low || 1)) * (width - left - right);
  const upOf = (value: number): number =>
    height - bottom - ((value - bottomMost) / (topMost - bottomMost || 1)) * (height - top - bottom);
  const vertical = ticksOf(low, high).map((tick) => {
    const at = round(left + ((tick - low) / (high - low || 1)) * (width - left - right));
    const text = isLogarithmic ? String(Number((10 ** tick).toPrecision(1))) : label(tick);
    return `<path class="axis" d="M${at} ${top}V${height - bottom}"/><text x="${at}" y="${height - bottom + 15}" text-anchor="middle">${text}</text>`;
  });
  const horizontal = ticksOf(bottomMost, topMost).map((tick) => {
    const at = round(upOf(tick));
    return `<path class="axis" d="M${left} ${at}H${width - right}"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${label(tick)}</text>`;
  });
  const drawn = series.map(({ points, isDashed, isDotted }, i) => {
    const places = points.map(([px, py]) => `${round(acrossOf(px))} ${round(upOf(py))}`);
    if (isDotted) return `<path class="dots s${i % colors.length}" d="${places.map((at) => `M${at}h0`).join("")}"/>`;
    return `<path class="line s${i % colors.length}"${isDashed ? ' stroke-dasharray="5 3"' : ""} d="M${places.join("L")}"/>`;
  });
  let at = left;
  const legend = series.map(({ name }, i) => {
    const text = `<text class="f${i % colors.length}" x="${at}" y="${height - 8}">${name}</text>`;
    at += 6.2 * name.length + 12;
    return text;
  });
  const names = series.length > 1 ? legend.join("") : "";
  const axis = `<text x="${width - right}" y="${height - bottom + 28}" text-anchor="end" opacity=".7">${x}</text>`;
  const side = y ? `<text x="${left}" y="${top - 5}" opacity=".7">${y}</text>` : "";
  return `<text x="8" y="16" font-weight="600">${title}</text>${[...vertical, ...horizontal, ...drawn].join("")}${names}${axis}${side}`;
}

const square = { width: 270, height: 280 };

function pointPanel({ title, points, centers = [] }: PointPanel): string {
  const [xs, ys] = [0, 1].map((axis) => rangeOf([...points, ...centers].map((point) => point[axis]!))) as [
    [number, number],
    [number, number],
  ];
  const room = 246;
  const place = ([x, y]: readonly number[]): string =>
    `${round(12 + ((x! - xs[0]) / (xs[1] - xs[0] || 1)) * room)} ${round(272 - ((y! - ys[0]) / (ys[1] - ys[0] || 1)) * room)}`;
  const groups = [...new Set(points.map(([, , group]) => group))].sort((a, b) => a - b);
  const dots = groups.map((group) => {
    const own = points.filter(([, , other]) => other === group).map((point) => `M${place(point)}h0`);
    return `<path class="dots s${group % colors.length}" d="${own.join("")}"/>`;
  });
  const marks = centers.map((center) => {
    const [x, y] = place(center).split(" ");
    return `<path class="mark" transform="translate(${x} ${y})" d="M0 -6L1.8 -1.9 6 -1.9 2.6 .8 3.8 5 0 2.4 -3.8 5 -2.6 .8 -6 -1.9 -1.8 -1.9Z"/>`;
  });
  return `<text x="12" y="16" font-weight="600">${title}</text>${dots.join("")}${marks.join("")}`;
}

function rangeOf(values: readonly number[]): [number, number] {
  const finite = values.filter(Number.isFinite);
  return [finite.reduce((a, b) => Math.min(a, b), Infinity), finite.reduce((a, b) => Math.max(a, b), -Infinity)];
}

/** About five round numbers between two. */
function ticksOf(low: number, high: number): number[] {
  const rough = (high - low) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((candidate) => candidate >= rough)!;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step);
}

const label = (value: number): string => String(Number(value.toPrecision(6)));
const round = (value: number): number => Math.round(10 * value) / 10;
