#!/bin/sh
# Fills the corpus of every target with the files of the examples and the tests.
set -e
cd "$(dirname "$0")"
mkdir -p corpus/urdf corpus/mjcf corpus/sdf corpus/mesh corpus/diagram
find .. -path ../target -prune -o -name '*.urdf' -print | while read -r file; do cp "$file" "corpus/urdf/$(echo "${file#../}" | tr / _)"; done
find .. -path ../target -prune -o -name '*.sdf' -print | while read -r file; do cp "$file" "corpus/sdf/$(echo "${file#../}" | tr / _)"; done
find ../examples ../tests -name '*.yaml' | while read -r file; do cp "$file" "corpus/diagram/$(echo "${file#../}" | tr / _)"; done
find .. -path ../target -prune -o -name '*.xml' -print | while read -r file; do
  if grep -q '<mujoco' "$file"; then cp "$file" "corpus/mjcf/$(echo "${file#../}" | tr / _)"; fi
done
number=0
for format in obj stl dae msh gltf glb; do
  byte=$(printf '\\%03o' "$number")
  find .. -path ../target -prune -o -name "*.$format" -print | while read -r file; do
    { printf "%b" "$byte"; cat "$file"; } > "corpus/mesh/$(echo "${file#../}" | tr / _)"
  done
  number=$((number + 1))
done
