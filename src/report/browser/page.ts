/** At the end of every report: the theme's button, folded cards, printing, the keyboard. */

import { openLinkedCards } from "./linkedCards.ts";
import { unfoldForPrint } from "./printing.ts";
import { keepScrollable } from "./scrolling.ts";
import { startThemeButton } from "./theme.ts";

const button = document.getElementById("theme");
if (button) startThemeButton(button);
openLinkedCards();
unfoldForPrint();
keepScrollable(".wide, .key ul, nav ul, pre");
