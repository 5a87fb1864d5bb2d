#!/usr/bin/env python3
"""Prints a CycloneDX 1.5 list of the crates in `sooner`, from Cargo.lock and `cargo metadata`.

    scripts/sbom.py > sooner.cdx.json

It includes build scripts and macros, but no tests and benches. `npm sbom` lists the web packages.
"""

import json, os, subprocess


def main():
    words = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target()]
    found = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    root = next(id for id, package in packages.items() if package["name"] == "sooner-server")
    edges, todo = {}, [root]
    while todo:
        id = todo.pop()
        if id in edges:
            continue
        linked = [dep["pkg"] for dep in nodes[id]["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]
        edges[id] = sorted(set(linked))
        todo += linked
    checksums = locked()

    def component(id):
        package = packages[id]
        name, version = package["name"], package["version"]
        made = {"type": "library", "bom-ref": f"pkg:cargo/{name}@{version}", "name": name, "version": version,
                "purl": f"pkg:cargo/{name}@{version}"}
        if package.get("license"):
            made["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if (name, version) in checksums:
            made["hashes"] = [{"alg": "SHA-256", "content": checksums[name, version]}]
        return made

    components = {id: component(id) for id in edges}
    main = components.pop(root) | {"type": "application"}
    ref = lambda id: main["bom-ref"] if id == root else components[id]["bom-ref"]
    print(json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": main},
        "components": sorted(components.values(), key=lambda c: c["bom-ref"]),
        "dependencies": sorted(({"ref": ref(id), "dependsOn": [ref(to) for to in edges[id]]} for id in edges),
                               key=lambda d: d["ref"]),
    }, indent=1))


def target():
    """Returns the target machine: TARGET, else this one."""
    if os.environ.get("TARGET"):
        return os.environ["TARGET"]
    said = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return next(line.removeprefix("host: ") for line in said.splitlines() if line.startswith("host: "))


def locked():
    """Returns the checksum of each crate in Cargo.lock."""
    import tomllib
    with open("Cargo.lock", "rb") as file:
        lock = tomllib.load(file)
    return {(p["name"], p["version"]): p["checksum"] for p in lock["package"] if "checksum" in p}


main()
