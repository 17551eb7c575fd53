#!/usr/bin/env bash
# Runs what the papers' tables and figures need, for so many minutes: LANES processes on the GPU and two on the processors
# take the cells in the order of bench/papers/priority.ts; figures and comparators are measured beside them. Each stops by itself when the
# minutes are over, with a checkpoint, and is ended a minute later if it has not. What is in OUT from the last time is
# gone on from.
# usage: bench/papers/all.sh DATA OUT MINUTES [LANES=4] [NODE=node]    e.g. NODE='.gpu/enter node'
#        DEVICE=cpu tries it where there is no GPU; then copy OUT/accuracy, papers and comparators.jsonl into bench/results
set -u
data=$1 out=$2 minutes=$3 lanes=${4:-4} device=${DEVICE:-gpu}
read -ra node <<< "${5:-node}"
mkdir -p "$out/accuracy" "$out/papers" "$out/checkpoints"
rm -rf "$out/claims"
for file in bench/results/accuracy/*.jsonl; do
  [ -e "$out/accuracy/$(basename "$file")" ] || cp "$file" "$out/accuracy/"
done
trap 'kill $(jobs -p) 2>/dev/null' EXIT INT TERM
[ -e "$out/comparators.jsonl" ] || cp bench/results/comparators.jsonl "$out/"
bench() { # LOG ARGUMENTS…
  local log=$1
  shift
  timeout --kill-after=10 "$((minutes * 60 + 60))" "${node[@]}" dist/bench/main.js "$@" --minutes "$minutes" \
    > "$out/$log.log" 2>&1 &
}
papers() {
  local log=$1
  shift
  bench "$log" papers "$@" --run --data "$data" --out "$out/accuracy" --measured "$out/papers"
}
cells=(--checkpoints "$out/checkpoints" --claims "$out/claims")
for lane in $(seq "$lanes"); do papers "$device-$lane" --device "$device" "${cells[@]}"; done
for lane in 1 2; do papers "processors-$lane" --device cpu "${cells[@]}"; done
for set in usps mnist-test; do
  bench "comparators-$set" comparators --only "$set/" --data "$data" --out "$out/comparators.jsonl"
done
papers figures figures pcx/7 pcx/4.3 --device cpu --only nothing
wait
tail -n 3 "$out"/*.log
