#!/usr/bin/env bash
# A sweep as a Slurm job array, and a job that joins the parts when all of them have ended well.
#
#   SWEEP=scenarios/sweeps/w1-w2.yaml OUT=/shared/w1-w2 PARTS=16 bash slurm-array.sh
#
# bide is the one that `npx bide` starts in this folder: installed here (npm install), or else on PATH. BIDE names another: a path, or a
# command such as BIDE="apptainer exec bide.sif bide". OUT, and what is installed, must be on a file system that all nodes see. A part that was stopped (time limit, node failure) goes on where it was, and is then
# joined by hand, for the first merge job was never let in:
#   export SWEEP=scenarios/sweeps/w1-w2.yaml OUT=/shared/w1-w2 BIDE_SHARDS=16
#   sbatch --array=3,7 slurm-array.sh
#   bash slurm-array.sh merge
# Ids count from 0, so that BIDE_SHARDS and an id say which part it is, whatever else is in the array.
#SBATCH --job-name=bide
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@60
set -euo pipefail

: "${SWEEP:?the sweep file}" "${OUT:?a folder that all nodes see}"

# What npx would start, not npx itself: at Slurm's signal npx ends at once, and Slurm then kills bide before it has put away what it did.
if [[ "${BIDE:-npx bide}" == "npx bide" ]]; then
  BIDE="$(npx --no --loglevel=error -c 'command -v bide')" || {
    echo "slurm-array.sh: found no bide, neither installed in this folder nor on PATH; npm install it here, or set BIDE" >&2
    exit 2
  }
fi
# A program, whatever its path, or a command of several words.
if [[ -x "$BIDE" ]]; then bide=("$BIDE"); else read -ra bide <<<"$BIDE"; fi

if [[ -n "${SLURM_ARRAY_TASK_ID:-}" ]]; then
  mkdir -p "$OUT/parts"
  # A lock that a node took with it: Slurm runs each id once at a time, so nobody else writes this part.
  rm -f "$OUT/parts/$SLURM_ARRAY_TASK_ID/lock.json"
  # `exec`: Slurm's signal reaches bide, which stops within a second and leaves what it has done.
  exec "${bide[@]}" sweep "$SWEEP" --shard auto --resume --retry-failed \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --out "$OUT/parts/$SLURM_ARRAY_TASK_ID"
fi

if [[ "${1:-}" == merge ]]; then
  exec "${bide[@]}" merge "$OUT"/parts/* --out "$OUT/all"
fi

PARTS="${PARTS:-16}"
export SWEEP OUT BIDE BIDE_SHARDS="$PARTS"
array="$(sbatch --parsable --array="0-$((PARTS - 1))" --export=ALL "$0")"
sbatch --dependency="afterok:${array%%;*}" --cpus-per-task=1 --time=00:30:00 --export=ALL "$0" merge
