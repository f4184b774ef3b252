#!/usr/bin/env bash
# Unpacks the zip $1 that brings its own Java, and runs it where there is none: zip-with-java.sh target/tallystick-VERSION-linux-amd64.zip
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 - "$1" "$place" <<'END'
import os, stat, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as packed:
    packed.extractall(sys.argv[2])
    for one in packed.infolist():  # as unzip does
        file, mode = os.path.join(sys.argv[2], one.filename), one.external_attr >> 16
        if stat.S_ISLNK(mode):
            target = packed.read(one).decode()
            os.remove(file)
            os.symlink(target, file)
        else:
            os.chmod(file, mode & 0o777)
END
mkdir "$place/bin"
for tool in bash cat cksum cp dirname env find flock head locale mkdir mktemp mv readlink rm sed sort stty tail tr uname; do
  ln -s "$(command -v $tool)" "$place/bin/$tool"
done
[ -z "$(find "$place"/tallystick-*/ -xtype l)" ] || { echo "links of the zip lead nowhere"; exit 1; }
cd "$place"
env -i HOME="$place" PATH="$place/bin" "$place"/tallystick-*/tally run quickstart --set duration=5s --accept-unproven
