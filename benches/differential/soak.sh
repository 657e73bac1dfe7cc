#!/bin/sh
# Many draws, in parts, for a night: soak.sh PROGRAM [LOG] [DRAWS] [SEED]
#
# LOG keeps a line for each draw. Where it was stopped, the same command goes on. At the end there are the classes.
set -eu
here=$(dirname "$0")
program=$1 log=${2:-differential.jsonl} draws=${3:-10000} seed=${4:-1000}
exec python3 "$here/differential.py" --kinegraph "$program" --seed "$seed" --draws "$draws" --log "$log"
