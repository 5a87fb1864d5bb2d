#!/usr/bin/env bash
# Creates the files of a release in target/dist/: an archive of the program with its documents, the
# Debian package, the image, lists of components, the notes of the version, and checksums.
#   scripts/dist.sh                     packages first (scripts/package.sh, whose variables apply)
#   SOONER_PACKAGED=1 scripts/dist.sh   uses the files of this commit in target/package/
# Fails if CHANGELOG.md has no entry for the version. Publishes nothing.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
read_target
# Checked before half an hour of building. `sooner --version` prints the version in Cargo.toml.
version="$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)"
notes="$(scripts/notes.sh "$version")"
# A release is compared with recent advisories. SOONER_STALE_ADVISORIES=yes permits a trial release.
age=$((($(date +%s) - $(date -d "$(<crates/checks/advisories.date)" +%s)) / 86400))
if ((age > 30)); then
  stale="The copy of RustSec's advisories is $age days old: renew it with scripts/advisories.py"
  [[ "${SOONER_STALE_ADVISORIES:-}" == yes ]] || die "$stale, or set SOONER_STALE_ADVISORIES=yes for files that are no release."
  say "$stale. These files are no release."
fi
[[ -n "${SOONER_PACKAGED:-}" ]] || scripts/package.sh
packaged="$root/target/package" out="$root/target/dist"
deb="$(find "$packaged" -name "sooner_$version+*.g$(git rev-parse --short=8 HEAD)_$architecture.deb" -print -quit 2>/dev/null)"
[[ -n "$deb" ]] || die "target/package/ has no package of version $version, this commit and $architecture: run it without SOONER_PACKAGED."
rm -rf "$out" && mkdir -p "$out"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH

# The archive has the files of the package, so that both contain the same program.
name="sooner-$version-linux-$architecture"
dpkg-deb --extract "$deb" "$work/deb"
mkdir -p "$work/$name"/{docs,man,completion}
cp "$work/deb/usr/bin/sooner" LICENSE README.md CHANGELOG.md "$work/$name/"
cp docs/{INSTALL,OPERATING,RUNBOOK,SETTINGS,RETENTION}.md "$work/$name/docs/"
cp "$work"/deb/usr/share/man/man1/*.gz "$work/$name/man/"
cp "$work/deb/usr/share/bash-completion/completions/sooner" "$work/$name/completion/sooner.bash"
cp "$work/deb/usr/share/zsh/vendor-completions/_sooner" "$work/deb/usr/share/fish/vendor_completions.d/sooner.fish" "$work/$name/completion/"
# Tracked files only, because settings and secrets of the build machine may be beside them.
git archive HEAD deploy | tar -x -C "$work/$name"
pack() { # file
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=u=rwX,go=rX -c "$name" | gzip -9n >"$1"
}
pack "$out/$name.tar.gz"
pack "$work/again.tar.gz"
cmp "$out/$name.tar.gz" "$work/again.tar.gz" || die "Two builds of the archive differ."

cp "$deb" "$packaged/sooner_${version}_${architecture}_oci.tar" "$packaged"/*.cdx.json "$out/"
printf '# Sooner %s\n\n%s\n' "$version" "$notes" >"$out/NOTES.md"
(cd "$out" && sha256sum ./*.tar.gz ./*.deb ./*.tar ./*.json ./NOTES.md >SHA256SUMS)
if [[ -n "${SOONER_SIGN_KEY:-}" ]]; then scripts/sign.sh "$SOONER_SIGN_KEY" "$out"; fi
(cd "$out" && sha256sum --check --quiet SHA256SUMS)
if grep -qF "## [$version] - Unreleased" CHANGELOG.md; then
  say "CHANGELOG.md says that $version is unreleased: set its date and a tag v$version before you publish it."
fi
ls -lh "$out" >&2
