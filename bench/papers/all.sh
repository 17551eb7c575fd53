#!/usr/bin/env bash
# Runs what the papers' tables and figures need, for so many minutes: several lanes on the GPU, teachers and figures on
# the processors beside them (all figures anew, on 3,000 rows). What is in OUT from the last time is gone on from.
# usage: bench/papers/all.sh DATA OUT MINUTES [LANES=4] [NODE=node]     then copy OUT/accuracy and OUT/papers into bench/results
set -u
data=$1 out=$2 minutes=$3 lanes=${4:-4} node=${5:-node}
mkdir -p "$out/accuracy" "$out/papers" "$out/checkpoints"
for file in bench/results/accuracy/*.jsonl; do
  [ -e "$out/accuracy/$(basename "$file")" ] || cp "$file" "$out/accuracy/"
done
papers() { "$node" dist/bench/main.js papers "$@" --run --data "$data" --out "$out/accuracy" --measured "$out/papers"; }
for lane in $(seq "$lanes"); do
  papers --device gpu --minutes "$minutes" --checkpoints "$out/checkpoints" --lane "$lane/$lanes" > "$out/lane-$lane.log" 2>&1 &
done
timeout "$((minutes * 60))" bash -c "$(declare -f papers); node='$node' data='$data' out='$out'; papers figures pcx/7 pcx/4.3 --device cpu --minutes 0" > "$out/figures.log" 2>&1 &
timeout "$((minutes * 60))" bash -c "$(declare -f papers); node='$node' data='$data' out='$out'; papers --device cpu --only /teacher/ --minutes $minutes" > "$out/teachers.log" 2>&1 &
wait
tail -n 3 "$out"/*.log
