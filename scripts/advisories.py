#!/usr/bin/env python3
"""Creates crates/checks/advisories.tsv from a clone of https://github.com/rustsec/advisory-db (CC0).

  git clone --bare https://github.com/rustsec/advisory-db db && scripts/advisories.py db

One line per advisory: id, package, patched versions, unaffected versions (requirements separated
by |), kind, title. The kind separates vulnerabilities from notices such as an unmaintained crate.
Withdrawn advisories are omitted.
"""
import io, subprocess, sys, tarfile, tomllib

clone = sys.argv[1]
git = lambda *words: subprocess.run(["git", "--git-dir", clone, *words], check=True, capture_output=True).stdout
date = git("log", "-1", "--format=%cs").decode().strip()
commit = git("log", "-1", "--format=%H").decode().strip()
rows = []
archive = tarfile.open(fileobj=io.BytesIO(git("archive", "HEAD", "crates")))
for member in archive:
    if not member.name.endswith(".md"):
        continue
    text = archive.extractfile(member).read().decode()
    head, body = text.split("```toml\n", 1)[1].split("```", 1)
    data = tomllib.loads(head)
    advisory, versions = data["advisory"], data.get("versions", {})
    if "withdrawn" in advisory:
        continue
    title = next((line[2:].strip() for line in body.splitlines() if line.startswith("# ")), "")
    kind = advisory.get("informational", "vulnerability")
    rows.append("\t".join([advisory["id"], advisory["package"], "|".join(versions.get("patched", [])),
                           "|".join(versions.get("unaffected", [])), kind, " ".join(title.split())]))
with open("crates/checks/advisories.tsv", "w") as out:
    out.write(f"# RustSec advisory database, {date}, {commit}\n")
    out.write("\n".join(sorted(rows)) + "\n")
with open("crates/checks/advisories.date", "w") as out:
    out.write(f"{date}\n")
print(f"{len(rows)} advisories as of {date}")
