/** `telltale/teachers`: rows to a partition by any of many algorithms, without a network (docs/teachers.md). */

export { type Products, productsOn } from "../runtime/products.ts";
export { consensusOf } from "../teachers/consensus.ts";
export { teachers } from "../teachers/index.ts";
export type { TeacherName } from "../teachers/names.ts";
export type { Partition } from "../teachers/partition.ts";
export { type PartitionOptions, partition } from "../teachers/partitionRows.ts";
export type { Lesson, Teacher } from "../teachers/teacher.ts";
