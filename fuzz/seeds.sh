#!/bin/sh
# Fills the corpus of every target with the files of seeds/, of the examples, of the tests and of the folders given:
# small ones, since a mutation of a large file mostly repeats what another did.
set -e
cd "$(dirname "$0")"
mkdir -p corpus/urdf corpus/mjcf corpus/sdf corpus/mesh corpus/diagram
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
