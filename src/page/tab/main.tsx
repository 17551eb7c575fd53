/** Begins the page without a server: kept for when there is no network, and answered by workers of its own. */

import { render } from "preact";
import { restoreTheme } from "../../report/browser/theme.ts";
import { App } from "../App.tsx";
import { Session } from "../state/session.ts";
import { followAddress, look } from "../state/view.ts";
import { keepOffline } from "./keepOffline.ts";
import { tabSource } from "./tabSource.ts";

restoreTheme();
await keepOffline();
const session = new Session(tabSource());
followAddress();
// Whatever was looked at before is not here any more.
look({ run: "", other: "", fit: "", page: "training" });
render(<App session={session} />, document.getElementById("page")!);
await session.begin();
