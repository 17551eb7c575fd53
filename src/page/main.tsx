/** Begins the page: the token becomes a cookie, the address a view. */

import { render } from "preact";
import { restoreTheme } from "../report/browser/theme.ts";
import { App } from "./App.tsx";
import { beginSession, serverSource } from "./source/serverSource.ts";
import { beginning } from "./state/beginning.ts";
import { Session } from "./state/session.ts";
import { followAddress, look } from "./state/view.ts";

restoreTheme();
const session = new Session(serverSource);
await session.attempt(beginSession);
followAddress();
render(<App session={session} />, document.getElementById("page")!);
const isLed = location.hash.length > 1;
await session.begin();
const start = isLed ? undefined : beginning(session.runs.value ?? [], session.sources.value.length);
if (start) look(start);
