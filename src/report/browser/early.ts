/** In the head, before anything is drawn: the page knows that there is a script, and which theme the reader chose. */

import { restoreTheme } from "./theme.ts";

document.documentElement.classList.add("js");
restoreTheme();
