/** The name of a model in databases and in Python. */

/** What Python and the engines have as words of their own, among names of letters only. */
const taken = new Set(
  (
    "access add all alter and any array as asc assert async audit await between break by case cast char check class " +
    "cluster column comment compress connect continue create current date decimal def default del delete desc " +
    "distinct drop elif else except exclusive exists false file finally float for from global grant group having " +
    "identified if immediate import in increment index initial insert integer intersect into is join lambda level " +
    "like lock long match maxextents minus mlslabel mode model modify noaudit nocompress none nonlocal not nowait " +
    "null number np of offline on online onnxruntime option or order pass pctfree pd prior public raise raw rename " +
    "resource return revoke row rowid rownum rows select session set share size smallint spark start successful " +
    "synonym sysdate table then to trigger true try uid union unique update user using validate values varchar view " +
    "whenever where while with yield"
  ).split(" "),
);

/** What a model is called elsewhere: letters, digits and _, as long as any engine takes, and no word of theirs. */
export function modelName(run: string): string {
  const name = run.replaceAll(/\W+/g, "_").slice(0, 100);
  return /^[a-z]/i.test(name) && !taken.has(name.toLowerCase()) ? name : `run_${name}`;
}
