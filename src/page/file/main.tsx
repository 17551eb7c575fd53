/** Begins a page that is one file: one run, to be looked at. */

import { render } from "preact";
import { restoreTheme } from "../../report/browser/theme.ts";
import { App } from "../App.tsx";
import { Session } from "../state/session.ts";
import { followAddress, lookAt, view } from "../state/view.ts";
import { fileSource, readWritten } from "./fileSource.ts";

restoreTheme();
const written = await readWritten(document.getElementById("run")!.textContent);
const session = new Session(fileSource(written));
followAddress();
if (view.value.run !== written.run) lookAt(written.run);
render(<App session={session} />, document.getElementById("page")!);
await session.begin();
