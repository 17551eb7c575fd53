/** Hardware that operations are written for. What is written for one runs on the other, only slower. */
export type Target = "cpu" | "gpu";
