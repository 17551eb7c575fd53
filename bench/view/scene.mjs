/** In a page of `bench view`: the same points for everyone, and what is measured about drawing them. */

/** A seeded mixture of 20 clouds; places from 0 to 65,534, as a server sends them. */
export function scene(count) {
  let state = 1;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 4294967296;
  };
  const clouds = Array.from({ length: 20 }, () => [
    8000 + 49000 * uniform(),
    8000 + 49000 * uniform(),
    500 + 2500 * uniform(),
  ]);
  const [x, y, cluster] = [new Uint16Array(count), new Uint16Array(count), new Uint8Array(count)];
  for (let i = 0; i < count; i++) {
    const of = Math.floor(20 * uniform());
    const [middleX, middleY, wide] = clouds[of];
    const [far, angle] = [wide * Math.sqrt(-2 * Math.log(uniform())), 2 * Math.PI * uniform()];
    x[i] = Math.max(0, Math.min(65534, middleX + far * Math.cos(angle)));
    y[i] = Math.max(0, Math.min(65534, middleY + far * Math.sin(angle)));
    cluster[i] = of;
  }
  return { x, y, cluster };
}

/** The ten colors of the clusters, as [red, green, blue]. */
export const palette = [
  "0047aa",
  "f48c09",
  "62acf7",
  "9b1f5f",
  "05967e",
  "44174c",
  "a06104",
  "9e60ce",
  "9bcd9a",
  "404801",
].map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/**
 * Until what was drawn can be seen. A screenshot of the page would do; reading one pixel back waits for the same and
 * costs less.
 */
function drawn(canvas) {
  const gl = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  if (gl) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  else canvas.getContext("2d").getImageData(0, 0, 1, 1);
}

/** So many at least, however long they take: one may draw a frame in 12 s. */
const fewest = 1;
const mostHovers = 60;

/**
 * `pan(step)` moves the view a little and has it drawn by the next frame; `hover(left, top)` resolves to a row.
 * All in milliseconds; panning and hovering last `seconds` each, or as long as the fewest of them do.
 */
export async function measure({ canvas, pan, hover, started, seconds }) {
  await nextFrame();
  drawn(canvas());
  const first = performance.now() - started;
  // One by one, each until it can be seen.
  const frames = [];
  const panUntil = performance.now() + 1000 * seconds;
  for (let step = 1; performance.now() < panUntil || frames.length < fewest; step++) {
    const begun = performance.now();
    pan(step);
    await nextFrame();
    drawn(canvas());
    frames.push(performance.now() - begun);
  }
  const hovers = [];
  let found = 0;
  const hoverUntil = performance.now() + 1000 * seconds;
  for (let i = 0; i < mostHovers && (performance.now() < hoverUntil || i < fewest); i++) {
    const begun = performance.now();
    const row = await hover(100 + ((i * 137) % 1000), 80 + ((i * 89) % 600));
    hovers.push(performance.now() - begun);
    if (row !== undefined) found++;
  }
  const total = frames.reduce((sum, time) => sum + time, 0);
  return {
    first,
    framesPerSecond: (1000 * frames.length) / total,
    frames: frames.length,
    slowestFrame: Math.max(...frames),
    hover: middle(hovers),
    slowestHover: Math.max(...hovers),
    hovers: hovers.length,
    found,
  };
}

function middle(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
