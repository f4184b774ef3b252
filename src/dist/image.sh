#!/usr/bin/env bash
# Makes the files of the container image below the folder $1, beside the jars: a Java runtime is in
# $1/opt/java already. What it needs of the C library is taken from this machine, so the image is
# for machines of this kind; Java brings certificates and time zones of its own.
set -euo pipefail
root=$1

libraries() { # the files that the runtime's own need, the loader too
  { find "$root/opt/java" \( -name '*.so' -o -path '*/bin/java' \) -exec ldd {} + 2>/dev/null || true; } |
    awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*[^:]$/ { print $1 }' | grep -vF "$root" | sort -u
}

# Windows and sounds are not made here, and their libraries would bring half a desktop.
rm -f "$root"/opt/java/lib/lib{awt_xawt,splashscreen,jawt,jsound}.so
for file in $(libraries); do
  mkdir -p "$root$(dirname "$file")"
  cp -L "$file" "$root$file"
done
for extra in /usr/share/doc/libc6/copyright /usr/lib/locale/C.utf8; do # without the second no file is named beyond ASCII
  [ ! -e "$extra" ] || cp -rL --parents "$extra" "$root"
done

mkdir -p "$root"/{etc,tmp,home/tally,opt/tallystick}
printf 'root:x:0:0:root:/:/none\ntally:x:10001:10001:tally:/home/tally:/none\n' > "$root/etc/passwd"
printf 'root:x:0:\ntally:x:10001:\n' > "$root/etc/group"
printf 'hosts: files dns\n' > "$root/etc/nsswitch.conf"
rm -rf "$root/opt/tallystick/scenarios"
cp -r scenarios LICENSE src/dist/java.args target/bom.json "$root/opt/tallystick"
