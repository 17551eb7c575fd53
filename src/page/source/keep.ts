/** A file for a person to keep. */

export function keep({ name, content }: { readonly name: string; readonly content: Blob }): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Until the browser has it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
