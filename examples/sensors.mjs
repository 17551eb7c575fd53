/**
 * Writes sensors.csv: 1,200 readings of pumps in four ways of running, for trying things out.  usage: node
 * examples/sensors.mjs > examples/sensors.csv
 */

const ways = {
  //        °C   mm/s  kW    bar  l/min
  idle: [24, 0.4, 0.3, 1.1, 2],
  normal: [46, 1.6, 5.5, 4.2, 90],
  strained: [78, 3.1, 9.8, 6.9, 118],
  leaking: [51, 4.8, 6.1, 1.9, 61],
};
const spread = [4, 0.3, 0.5, 0.35, 7];

/** Mulberry32, and normal numbers by Box and Muller: the same file every time. */
let state = 20260101;
function uniform() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());

const names = Object.keys(ways);
const lines = Array.from({ length: 1200 }, (_, i) => {
  const draw = uniform();
  const way = ways[names[draw < 0.25 ? 0 : draw < 0.7 ? 1 : draw < 0.9 ? 2 : 3]];
  const values = way.map((value, c) => Math.max(0, value + spread[c] * normal()).toFixed(2));
  return [`pump-${String(i).padStart(4, "0")}`, ...values, i % 3 ? "v2" : "v1"].join();
});
process.stdout.write(
  `reading_id,temperature_c,vibration_mm_s,power_kw,pressure_bar,flow_l_min,firmware\n${lines.join("\n")}\n`,
);
