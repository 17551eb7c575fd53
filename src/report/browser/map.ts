/** At the end of a report that has a map: brings it to life. */

import { ClusterMap } from "./map/clusterMap.ts";
import { readPoints } from "./map/readPoints.ts";

const store = document.getElementById("points");
const atlas = document.querySelector<HTMLElement>(".atlas");
if (store && atlas) new ClusterMap(atlas, readPoints(store)).start();
