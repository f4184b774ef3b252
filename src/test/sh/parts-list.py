"""Whether the list of parts (bom.json, CycloneDX) of an unpacked release names every jar that it ships, and no other.

usage: python3 parts-list.py RELEASE
"""
import json
import pathlib
import sys
import urllib.parse

release = pathlib.Path(sys.argv[1])


def jar(component):
    """The file name that Maven gives a component, a classifier included."""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(component.get("purl", "")).query)
    tail = "".join("-" + word for word in query.get("classifier", []))
    return f"{component['name']}-{component['version']}{tail}.jar"


listed = {jar(one) for one in json.loads((release / "bom.json").read_text())["components"]}
shipped = {file.name for file in (release / "lib").glob("*.jar")}
for name in sorted(shipped - listed):
    print(f"shipped, but not in bom.json: {name}")
for name in sorted(listed - shipped):
    print(f"in bom.json, but not shipped: {name}")
if not shipped or shipped != listed:
    sys.exit(1)
print(f"bom.json names the {len(shipped)} jars that ship")
