/** Who may import whom: the table of docs/architecture.md, enforced. A folder imports itself and what its line lists. */
const mayImport = {
  tensor: [],
  graph: ["tensor"],
  runtime: ["tensor", "graph"],
  nn: ["tensor", "graph"],
  data: ["tensor"],
  metrics: ["tensor"],
  training: ["tensor", "graph", "runtime", "nn", "data", "metrics"],
  methods: ["tensor", "graph", "runtime", "nn", "data", "metrics", "training"],
  worker: ["tensor", "graph", "runtime", "nn", "data", "metrics", "training", "methods", "model", "node[.]ts"],
  explain: ["tensor", "graph", "runtime", "nn", "data", "training", "metrics"],
  map: ["tensor", "graph", "runtime", "nn", "data", "training", "metrics"],
  model: ["tensor", "graph", "runtime", "nn", "data", "training", "methods", "metrics", "explain", "map"],
  report: ["tensor", "graph", "runtime", "nn", "data", "training", "methods", "metrics", "explain", "map", "model"],
  run: [
    ...["tensor", "graph", "runtime", "nn", "data", "metrics", "training", "methods"],
    ...["explain", "map", "model", "report", "worker"],
  ],
  cli: ["index[.]ts", "node[.]ts"],
  server: ["index[.]ts", "node[.]ts"],
  page: ["index[.]ts"],
};

const layers = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `${folder} may import ${allowed.join(", ").replaceAll("[.]", ".") || "nothing else"}`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: [folder, ...allowed].map((name) => `^src/${name}${name.endsWith("ts") ? "$" : "/"}`) },
}));

export default {
  forbidden: [
    ...layers,
    { name: "no cycles, type imports included", severity: "error", from: {}, to: { circular: true } },
    {
      name: "every folder of src/ has a line in the table",
      severity: "error",
      from: { path: `^src/(?!(${Object.keys(mayImport).join("|")})/)[^/]+/` },
      to: {},
    },
    {
      name: "Node's modules only at the edges",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: "^src/(cli/|server/|worker/|run/|data/files/|node[.]ts$|runtime/native[.]ts$)",
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "what runs in a browser does not import node.ts or the native devices",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(cli/|server/|worker/|run/|node[.]ts$)" },
      to: { path: "^src/(node[.]ts$|runtime/native[.]ts$|worker/|run/)" },
    },
    {
      name: "the product imports declared packages only",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"] },
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
