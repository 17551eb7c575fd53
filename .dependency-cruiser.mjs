/** Who may import whom: the table of docs/architecture.md, enforced. A room imports itself and what its line lists. */
const below = (...rooms) => rooms;

const numbers = below("tensor", "numerics");
const engine = below(...numbers, "graph", "onnx", "runtime", "nn");
const learning = below(
  ...engine,
  "text",
  "options[.]ts",
  "settings[.]ts",
  "formats",
  "data",
  "metrics",
  "teachers",
  "training",
);
const portable = below(...learning, "methods", "explain", "map", "model", "report");
const machine = below(...portable, "disk", "files", "worker", "version[.]ts");

const mayImport = {
  tensor: [],
  "options[.]ts": [],
  "settings[.]ts": ["options[.]ts"],
  text: [],
  numerics: ["tensor"],
  formats: ["tensor"],
  graph: ["tensor"],
  onnx: ["tensor", "graph"],
  runtime: ["tensor", "graph", "onnx"],
  nn: ["tensor", "graph"],
  data: [...numbers, "text"],
  metrics: numbers,
  teachers: [...numbers, "text", "options[.]ts", "data"],
  training: learning,
  methods: learning,
  explain: learning,
  map: learning,
  model: below(...learning, "methods", "explain", "map"),
  report: below(...learning, "methods", "explain", "map", "model"),
  "report/browser": ["report/parts/pointBytes[.]ts"],
  disk: [],
  files: below(...numbers, "text", "settings[.]ts", "formats", "data", "disk"),
  worker: below(...learning, "methods", "model", "disk"),
  "run/folder": below(...machine, "run/events[.]ts"),
  "run/fitting": below(...machine, "run/events[.]ts", "run/folder", "run/use"),
  "run/use": below(...machine, "run/events[.]ts", "run/folder"),
  "run/curation": below(...machine, "teachers", "run/events[.]ts", "run/folder", "run/use", "run/fitting"),
  "run/sweep": below(...machine, "run/events[.]ts", "run/folder", "run/use", "run/fitting"),
  "run/queue": below(...machine, "run/sweep"),
  "run/export": below(...machine, "run/folder", "run/use"),
  "run/stream": below(...machine, "run/events[.]ts", "run/folder", "run/use", "run/curation"),
  "doors/(node|inside|use|learn)[.]ts": below(...machine, "run", "doors"),
  "doors/(browser|engine|metrics|method|teachers|shared|formulas|tab)[.]ts": below(
    ...portable,
    "doors/(shared|formulas|browser)[.]ts",
  ),
  // What the system refuses is put into words without loading the engine behind the door.
  cli: [
    "doors/(inside|use|learn)[.]ts",
    "server/start[.]ts",
    "server/exported",
    "mcp/serve[.]ts",
    "version[.]ts",
    "text",
    "disk/cannotWrite[.]ts",
  ],
  // What page and server say to each other.
  api: [],
  server: ["doors/inside[.]ts", "api", "text", "version[.]ts"],
  mcp: ["doors/inside[.]ts", "server/(given|refused|replies)[.]ts", "api", "text", "version[.]ts"],
  page: ["doors/tab[.]ts", "api", "text", "report/parts/(numbers|clusterColors)[.]ts", "report/browser/theme[.]ts"],
};

/** What touches Node: the rest runs in a browser tab. */
const inNode =
  "cli/|server/|mcp/|worker/|run/|files/|disk/|doors/(node|inside|use|learn)[.]ts$|version[.]ts$|runtime/native[.]ts$|runtime/nodeDevices[.]ts$|runtime/child/";

/** A room is a folder, or a file by itself. */
const pathOf = (room) => `^src/${room}${room.endsWith("[.]ts") ? "$" : "/"}`;

const layers = Object.entries(mayImport).map(([room, allowed]) => ({
  name: `${room} may import ${allowed.join(", ").replaceAll("[.]", ".") || "nothing else"}`,
  severity: "error",
  from: { path: pathOf(room) },
  to: { path: "^src/", pathNot: [room, ...allowed].map(pathOf) },
}));

export default {
  forbidden: [
    ...layers,
    { name: "no cycles, type imports included", severity: "error", from: {}, to: { circular: true } },
    {
      name: "every folder of src/ has a line in the table",
      severity: "error",
      from: { path: "^src/[^/]+/", pathNot: [...Object.keys(mayImport).map(pathOf), "^src/run/events[.]ts$"] },
      to: {},
    },
    {
      name: "Node's modules only at the edges",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(${inNode})` },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "what runs in a browser does not import what needs Node",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(${inNode})` },
      to: { path: `^src/(${inNode})` },
    },
    {
      name: "what runs in a page comes as text, from inlined.ts",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(report/browser|page)/" },
      to: { path: "^src/report/browser/" },
    },
    {
      name: "the product imports declared packages only",
      severity: "error",
      // The page is bundled: what it is made of is in dist/page already.
      from: { path: "^src/", pathNot: "^src/page/" },
      // An optional peer is declared, and a development dependency as well, since our own tests need it.
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"],
        dependencyTypesNot: ["npm-peer"],
      },
    },
    {
      name: "src imports nothing beside it",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts|examples)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
  },
};
