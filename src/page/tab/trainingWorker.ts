/** The worker that trains on WebAssembly. */

import { trainHere } from "./trainHere.ts";

trainHere();
