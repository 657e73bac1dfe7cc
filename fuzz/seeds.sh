#!/bin/sh
# Fills the corpus of every target with the files of seeds/, of the examples, of the tests and of the folders given:
# small ones, since a mutation of a large file mostly repeats what another did.
set -e
cd "$(dirname "$0")"
mkdir -p corpus/urdf corpus/mjcf corpus/sdf corpus/mesh corpus/diagram corpus/expression corpus/overrides corpus/request
mkdir -p corpus/snapshot corpus/recording
files() { find seeds ../examples ../tests ../systems/tests "$@" -name "$pattern" -size -40k; }
flat() { echo "$1" | sed 's#^[./]*##' | tr / _; }
for target in urdf sdf; do
  pattern="*.$target"
  files "$@" | while read -r file; do cp "$file" "corpus/$target/$(flat "$file")"; done
done
pattern='*.yaml'
files "$@" | while read -r file; do cp "$file" "corpus/diagram/$(flat "$file")"; done
pattern='*.xml'
files "$@" | while read -r file; do
  if grep -q '<mujoco' "$file"; then cp "$file" "corpus/mjcf/$(flat "$file")"; fi
done
number=0
for format in obj stl dae msh gltf glb; do
  byte=$(printf '\\%03o' "$number")
  pattern="*.$format"
  files "$@" | while read -r file; do
    { printf "%b" "$byte"; cat "$file"; } > "corpus/mesh/$(flat "$file")"
  done
  number=$((number + 1))
done
# One seed a line; `\r\n` is the end of a line of a request.
for target in expression overrides request; do
  lines="seeds/$target.txt"
  [ -f "$lines" ] || lines="seeds/${target}s.txt"
  number=0
  while IFS= read -r line; do
    printf '%b' "$line" > "corpus/$target/$number"
    number=$((number + 1))
  done < "$lines"
done
# Snapshots and recordings are what the program writes: of a short run of the test programs, where they have run.
for folder in ../target/tmp/reliability "$@"; do
  [ -d "$folder" ] || continue
  find "$folder" -maxdepth 1 \( -name 'seed*.snap' -o -name 'seed*.json' \) -exec cp {} corpus/snapshot/ \;
  number=0
  for kind in csv jsonl mcap; do
    if [ -f "$folder/seed.$kind" ]; then
      { printf "%b" "$(printf '\\%03o' "$number")"; cat "$folder/seed.$kind"; } > "corpus/recording/$kind"
    fi
    number=$((number + 1))
  done
done
