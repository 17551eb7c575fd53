/**
 * Loads a run and saves it to a folder again and again, for a test that kills it meanwhile.  usage: save-again.mjs FROM
 * TO TIMES
 */
import { load } from "../../dist/src/doors/node.js";

const [from, to, times] = process.argv.slice(2);
const model = await load(from);
for (let i = 0; i < Number(times); i++) await model.save(to, { force: true });
await model.close();
