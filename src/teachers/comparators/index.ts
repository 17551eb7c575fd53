/** The clusterings that the papers compare with, as teachers: asked only where they are named. */

import type { Teacher } from "../teacher.ts";
import { fcm } from "./fcm.ts";
import { gnmf } from "./gnmf.ts";
import { lccf } from "./lccf.ts";
import { lrr } from "./lrr.ts";
import { lrsc } from "./lrsc.ts";
import { lscK, lscR } from "./lsc.ts";
import { lsr1, lsr2 } from "./lsr.ts";
import { njw } from "./njw.ts";
import { nmf } from "./nmf.ts";
import { slrr } from "./slrr.ts";
import { smr } from "./smr.ts";
import { ssc } from "./ssc.ts";
import { zac } from "./zac.ts";

export const comparators = {
  fcm,
  nmf,
  gnmf,
  lccf,
  njw,
  "lsc-r": lscR,
  "lsc-k": lscK,
  lsr1,
  lsr2,
  lrsc,
  lrr,
  slrr,
  smr,
  ssc,
  zac,
} as const satisfies Readonly<Record<string, Teacher>>;
