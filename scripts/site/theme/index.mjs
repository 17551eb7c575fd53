/** VitePress's own looks, with our colours and this machine's fonts. */

import Theme from "vitepress/theme-without-fonts";
import "./style.css";

export default Theme;
