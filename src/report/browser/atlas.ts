/**
 * The map's script, in the language of browsers: it draws the points, follows the pointer and the keyboard. Points are blended into
 * pixels by hand: 70,000 circles of a canvas would take seconds.
 */

export const atlas = `(() => {
  const root = document.documentElement;
  const store = document.getElementById("points");
  if (!store) return;
  const bytes = Uint8Array.from(atob(store.textContent), (letter) => letter.charCodeAt(0));
  const count = Number(store.dataset.count);
  const wide = store.dataset.wide === "1";
  const colors = store.dataset.colors.split(" ").filter(Boolean).map(Number);
  const view = new DataView(bytes.buffer);
  const xs = new Uint16Array(count), ys = new Uint16Array(count), of = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    xs[i] = view.getUint16(2 * i, true);
    ys[i] = view.getUint16(2 * (count + i), true);
    of[i] = wide ? view.getUint16(4 * count + 2 * i, true) : bytes[4 * count + i];
  }
  const confidence = bytes.subarray(bytes.length - count);
  const chart = document.querySelector(".chart");
  const canvas = chart.querySelector("canvas");
  const pen = canvas.getContext("2d", { alpha: false });
  if (!pen) return;
  canvas.hidden = false;
  let paint = "cluster", pinned = -1, pointed = -1, unsureLast;

  const rgb = (name, styles) => { const hex = styles.getPropertyValue(name).trim(); return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)); };
  // A disc of the given radius: what is next to its middle, and how much of each pixel it covers.
  const disc = (radius, width) => {
    const reach = Math.ceil(radius), offsets = [], covers = [];
    for (let y = -reach; y <= reach; y++) for (let x = -reach; x <= reach; x++) {
      const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x, y)));
      if (cover > 0) { offsets.push(4 * (y * width + x)); covers.push(cover); }
    }
    return { offsets: Int32Array.from(offsets), covers: Float32Array.from(covers) };
  };
  const draw = () => {
    const ratio = Math.min(2, devicePixelRatio || 1), box = chart.getBoundingClientRect();
    const width = Math.max(1, Math.round(box.width * ratio)), height = Math.max(1, Math.round(box.height * ratio));
    canvas.width = width; canvas.height = height;
    const styles = getComputedStyle(root);
    const ground = rgb("--raised", styles), gray = rgb("--rule", styles);
    const inks = colors.map((color) => rgb("--c" + color, styles));
    const unsure = rgb("--unsure", styles), sure = rgb("--sure", styles);
    const image = pen.createImageData(width, height), pixels = image.data;
    for (let at = 0; at < pixels.length; at += 4) { pixels[at] = ground[0]; pixels[at + 1] = ground[1]; pixels[at + 2] = ground[2]; pixels[at + 3] = 255; }
    const size = count > 30000 ? 1.1 : count > 5000 ? 1.5 : count > 1000 ? 2.1 : 3;
    const { offsets, covers } = disc(size * ratio * Math.max(0.6, Math.min(1.2, box.width / 760)), width);
    const strength = count > 30000 ? 0.55 : count > 5000 ? 0.7 : 0.8;
    const dot = (i, ink, alpha) => {
      // The frame has a margin: no disc reaches beyond it.
      const middle = 4 * (Math.round(ys[i] / 65535 * (height - 1)) * width + Math.round(xs[i] / 65535 * (width - 1)));
      const [red, green, blue] = ink;
      for (let s = 0; s < offsets.length; s++) {
        const at = middle + offsets[s], a = alpha * covers[s];
        pixels[at] += (red - pixels[at]) * a; pixels[at + 1] += (green - pixels[at + 1]) * a; pixels[at + 2] += (blue - pixels[at + 2]) * a;
      }
    };
    const alone = pointed >= 0 ? pointed : pinned;
    let order;
    if (paint === "confidence") order = unsureLast ??= Uint32Array.from(xs.keys()).sort((a, b) => confidence[b] - confidence[a]);
    const ramp = Array.from({ length: 256 }, (_, c) => unsure.map((low, channel) => low + (sure[channel] - low) * c / 255));
    for (let pass = alone >= 0 ? 0 : 1; pass < 2; pass++) for (let n = 0; n < count; n++) {
      const i = order ? order[n] : n, mine = alone < 0 || of[i] === alone;
      if (mine !== (pass === 1)) continue;
      if (!mine) dot(i, gray, 0.6);
      else dot(i, paint === "cluster" ? inks[of[i]] ?? gray : ramp[confidence[i]], strength);
    }
    pen.putImageData(image, 0, 0);
    chart.classList.add("drawn");
  };

  let asked = false;
  const redraw = () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; draw(); }); } };
  const under = document.getElementById("under");
  const entries = [...document.querySelectorAll(".key button")], markers = [...document.querySelectorAll(".marker")];
  const words = new Map(entries.map((entry) => [Number(entry.dataset.cluster), entry.dataset.words]));
  const show = () => {
    const alone = pointed >= 0 ? pointed : pinned;
    for (const one of [...entries, ...markers]) one.classList.toggle("on", Number(one.dataset.cluster) === alone);
    for (const entry of entries) entry.setAttribute("aria-pressed", String(Number(entry.dataset.cluster) === pinned));
    chart.classList.toggle("focused", alone >= 0);
    under.textContent = alone >= 0 ? words.get(alone) ?? "" : "\\u00a0";
    redraw();
  };
  const point = (cluster) => { if (cluster !== pointed) { pointed = cluster; show(); } };
  for (const one of [...entries, ...markers]) {
    const cluster = Number(one.dataset.cluster);
    one.addEventListener("pointerenter", () => point(cluster));
    one.addEventListener("pointerleave", () => point(-1));
    one.addEventListener("focus", () => { if (one.matches(":focus-visible")) point(cluster); });
    one.addEventListener("blur", () => point(-1));
  }
  for (const entry of entries) entry.addEventListener("click", () => { const cluster = Number(entry.dataset.cluster); pinned = pinned === cluster ? -1 : cluster; pointed = -1; show(); });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && pinned >= 0) { pinned = -1; show(); } });
  // The dot nearest to the pointer says which cluster is meant.
  const nearest = (event) => {
    const box = chart.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * 65535, y = (event.clientY - box.top) / box.height * 65535;
    const across = 65535 / box.width, down = 65535 / box.height;
    let best = 144, found = -1;
    for (let i = 0; i < count; i++) { const d = ((xs[i] - x) / across) ** 2 + ((ys[i] - y) / down) ** 2; if (d < best) { best = d; found = of[i]; } }
    return found < colors.length ? found : -1;
  };
  canvas.addEventListener("pointermove", (event) => point(nearest(event)));
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("click", (event) => { const cluster = nearest(event); pinned = pinned === cluster ? -1 : cluster; show(); });
  for (const choice of document.querySelectorAll("[name=paint]")) {
    if (choice.checked) paint = choice.value; // a reload keeps it
    choice.addEventListener("change", () => { paint = choice.value; redraw(); });
  }
  document.addEventListener("theme", redraw);
  new ResizeObserver(redraw).observe(chart);
  draw();
})();`;
