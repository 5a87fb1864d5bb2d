#!/usr/bin/env bash
# target/package/: a Debian package, an OCI archive, lists of what is in them, checksums; each is tried. Needs no container engine.
#   scripts/package.sh                     of target/release/sooner, which is built first
#   SOONER_BINARY=FILE scripts/package.sh  of a binary that is there
#   SOONER_SIGN_KEY=FILE                   signs the checksums: a secret key of minisign (asks for its password), or an OpenSSH key
# To try them as a real installation does (a chroot with a fresh Debian, the image's files as an unprivileged user) it has to be root;
# otherwise that is left out, and said so. SOONER_DEBOOTSTRAP names debootstrap where it is not installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh package
binary="${SOONER_BINARY:-}"
if [[ -z "$binary" ]]; then
  scripts/build.sh
  binary="${CARGO_TARGET_DIR:-target}/release/sooner"
fi
out="$root/target/package"
rm -rf "$out" && mkdir -p "$out"
work="$(mktemp -d)"
# Others than root read what is tried.
chmod 755 "$work"
server=""
cleanup() {
  [[ -z "$server" ]] || stop_gently "$server" >/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
version="$("$binary" --version | awk '{ print $2 }')"
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
# Each commit is newer than the one before, also under the same version of the program: else apt would keep what is there.
package_version="$version+$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).g$(git rev-parse --short=8 HEAD)"
grep -qa 'site\.webmanifest' "$binary" || die "The web app is not in $binary: scripts/web.sh build, then build it."
umask 022

# Everything that depends on the program alone.
say "Manual and completion"
"$binary" manual "$work/man"
for shell in bash zsh fish; do "$binary" completion "$shell" >"$work/completion.$shell"; done
bash -n "$work/completion.bash"

say "systemd unit"
# A unit names a program that is there: here it is where it was built.
sed "s#/usr/bin/sooner#$(realpath "$binary")#" deploy/systemd/sooner.service >"$work/sooner.service"
# Its manual page is not installed here.
systemd-analyze verify --man=no "$work/sooner.service"
systemd-analyze security --offline=true --threshold=15 "$work/sooner.service" | tail -n 1

say "Alert rules, board's scraping, files for containers"
promtool check rules deploy/prometheus/alerts.yml
promtool check config --syntax-only deploy/prometheus/prometheus.yml
bash -n deploy/container/postgres/*.sh
python3 - deploy/container/*.yml <<'END'
import pathlib, sys, yaml
for path in sys.argv[1:]:
    file = yaml.safe_load(pathlib.Path(path).read_text())
    for name, service in file["services"].items():
        assert {"image", "networks", "restart"} <= service.keys(), f"{path}: {name}"
        for volume in service.get("volumes", []):
            there = volume.split(":")[0]
            if there.startswith("."):
                place = pathlib.Path(path).parent / there
                assert place.exists() or "/secrets/" in there, f"{path}: {there} is missing"
            else:
                assert there in file["volumes"], f"{path}: the volume {there} is not declared"
    print(path, len(file["services"]), "services")
END

make_deb() { # folder, file
  local to="$1" page
  mkdir -p "$to"/{DEBIAN,etc/sooner,usr/bin,usr/lib/systemd/system,usr/lib/sysusers.d,usr/share/man/man1} \
    "$to"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d,doc/sooner/examples}
  install -m 755 "$binary" "$to/usr/bin/sooner"
  strip --strip-unneeded "$to/usr/bin/sooner"
  install -m 644 deploy/systemd/sooner.service "$to/usr/lib/systemd/system/"
  install -m 644 deploy/systemd/sooner.sysusers "$to/usr/lib/sysusers.d/sooner.conf"
  install -m 640 deploy/debian/sooner.env "$to/etc/sooner/"
  for page in "$work"/man/*.1; do gzip -9nc "$page" >"$to/usr/share/man/man1/${page##*/}.gz"; done
  install -m 644 "$work/completion.bash" "$to/usr/share/bash-completion/completions/sooner"
  install -m 644 "$work/completion.zsh" "$to/usr/share/zsh/vendor-completions/_sooner"
  install -m 644 "$work/completion.fish" "$to/usr/share/fish/vendor_completions.d/sooner.fish"
  install -m 644 docs/{OPERATING,RUNBOOK,SETTINGS,RETENTION,INSTALL}.md "$to/usr/share/doc/sooner/"
  cp -r deploy/proxy deploy/prometheus "$to/usr/share/doc/sooner/examples/"
  install -m 644 LICENSE "$to/usr/share/doc/sooner/copyright"
  printf 'sooner (%s) stable; urgency=medium\n\n  * See the history of the repository.\n\n -- Sooner <sooner@localhost>  %s\n' \
    "$package_version" "$(date -uR -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$to/usr/share/doc/sooner/changelog.gz"
  install -m 755 deploy/debian/{postinst,prerm,postrm} "$to/DEBIAN/"
  echo /etc/sooner/sooner.env >"$to/DEBIAN/conffiles"
  cat >"$to/DEBIAN/control" <<END
Package: sooner
Version: $package_version
Architecture: $(dpkg --print-architecture)
Maintainer: Sooner <sooner@localhost>
Section: web
Priority: optional
Depends: libc6 (>= $(glibc)), libgcc-s1, ca-certificates
Recommends: systemd
Suggests: postgresql, nginx | caddy, prometheus
Installed-Size: $(installed_size "$to")
Description: watches visa appointments and books earlier ones
 One server with web app, API, engine and mail delivery, on SQLite or PostgreSQL.
END
  (cd "$to" && find usr etc -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$to/DEBIAN/md5sums"
  find "$to" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz --build "$to" "$2" >/dev/null
}

# In KiB, as dpkg counts: by the files alone, for folders have other sizes on other file systems.
installed_size() { # folder
  find "$1/usr" "$1/etc" -printf '%y %s\n' | awk '{ all += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print all }'
}

# The newest symbols of glibc that the program wants.
glibc() { objdump -T "$binary" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -uV | tail -n 1; }

say "Debian package"
deb="$out/sooner_${package_version}_$(dpkg --print-architecture).deb"
make_deb "$work/deb" "$deb"
make_deb "$work/deb-again" "$work/again.deb"
cmp "$deb" "$work/again.deb" || die "The package is not the same twice."
lintian --fail-on error "$deb"

say "OCI archive"
rootfs="$work/rootfs"
mkdir -p "$rootfs"/{usr/bin,etc/ssl/certs,data,keys}
mkdir -m 1777 "$rootfs/tmp"
install -m 755 "$work/deb/usr/bin/sooner" "$rootfs/usr/bin/"
# With the linker, which has a path of its own.
ldd "$binary" | grep -oE '/[^ ]+' | while read -r library; do install -D "$(realpath "$library")" "$rootfs$library"; done
cp /etc/ssl/certs/ca-certificates.crt "$rootfs/etc/ssl/certs/"
echo 'sooner:x:65532:65532::/data:/nonexistent' >"$rootfs/etc/passwd"
echo 'sooner:x:65532:' >"$rootfs/etc/group"
oci="$out/sooner_${version}_oci.tar"
make_image() { # file
  scripts/oci.py "$rootfs" "$1" --version "$version" --revision "$(git rev-parse HEAD)" --architecture "$(dpkg --print-architecture)"
}
make_image "$oci"
make_image "$work/again.tar"
cmp "$oci" "$work/again.tar" || die "The archive is not the same twice."

say "What is in them"
scripts/sbom.py >"$out/sooner.cdx.json"
(use_node && cd web && npm sbom --package-lock-only --omit dev --sbom-format cyclonedx 2>/dev/null) >"$out/sooner-web.cdx.json"
python3 -c 'import json, sys; [print(path, len(json.load(open(path))["components"]), "components") for path in sys.argv[1:]]' "$out"/*.cdx.json

# Starts a server by the words given, waits until it is ready, and stops it.
serves() { # healthcheck's words, then --, then the server's words
  local check=()
  while [[ "$1" != -- ]]; do check+=("$1") && shift; done
  shift
  "$@" >"$work/log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    if "${check[@]}" 2>/dev/null; then
      stop_gently "$server" || die "The server did not end well: $(tail -n 5 "$work/log")"
      server=""
      return
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  die "The server was never ready: $(tail -n 5 "$work/log")"
}

if ((EUID != 0)); then
  say "Not root: the package is not installed and the image not started here."
else
  say "The image's files, read-only but for its volumes, as its user"
  # From the archive itself, as an engine unpacks it.
  mkdir "$work/image" "$work/run"
  tar -xf "$oci" -C "$work/image"
  layer="$(python3 - "$work/image" <<'END'
import json, pathlib, sys
at = pathlib.Path(sys.argv[1])
blob = lambda entry: at / "blobs/sha256" / entry["digest"].split(":")[1]
manifest = json.loads(blob(json.loads((at / "index.json").read_text())["manifests"][0]).read_text())
print(blob(manifest["layers"][0]))
END
)"
  tar -xzf "$layer" -C "$work/run" --numeric-owner --same-owner
  inside=(env -i SOONER_BIND=127.0.0.1:18080 SOONER_DATABASE_URL=sqlite:/data/sooner.db SOONER_KEY_RING=/keys/sooner.keys
    SOONER_PORTAL_URL=http://127.0.0.1:9 "$(command -v chroot)" --userspec=65532:65532 "$work/run" /usr/bin/sooner)
  "${inside[@]}" keys init
  serves "${inside[@]}" healthcheck -- "${inside[@]}" serve
  "${inside[@]}" doctor || (($? == 1))
fi
if ((EUID == 0)) && debootstrap="$(command -v "${SOONER_DEBOOTSTRAP:-debootstrap}")"; then
  say "The package in a fresh Debian: install, serve, upgrade, remove"
  debian="$work/debian"
  "$debootstrap" --variant=minbase --include=ca-certificates,libgcc-s1 bookworm "$debian" >"$work/debootstrap.log" 2>&1 ||
    die "No Debian: $(tail -n 5 "$work/debootstrap.log")"
  cp "$deb" "$debian/sooner.deb"
  within() { chroot "$debian" "$@"; }
  within dpkg -i /sooner.deb
  as=(chroot --userspec=sooner:sooner "$debian" env -i SOONER_BIND=127.0.0.1:18080 SOONER_PORTAL_URL=http://127.0.0.1:9
    SOONER_DATABASE_URL=sqlite:/var/lib/sooner/sooner.db SOONER_KEY_RING=/etc/sooner/keys/sooner.keys /usr/bin/sooner)
  "${as[@]}" keys init
  serves "${as[@]}" healthcheck -- "${as[@]}" serve
  echo SOONER_NODE=mine >>"$debian/etc/sooner/sooner.env"
  within dpkg -i /sooner.deb
  grep -q SOONER_NODE=mine "$debian/etc/sooner/sooner.env" || die "An upgrade changed the operator's settings."
  serves "${as[@]}" healthcheck -- "${as[@]}" serve
  within dpkg --purge sooner
  [[ -s "$debian/var/lib/sooner/sooner.db" && -s "$debian/etc/sooner/keys/sooner.keys" ]] ||
    die "Removing the package removed what is the operator's."
  [[ ! -e "$debian/usr/bin/sooner" ]] || die "The program is still there."
else
  say "Without debootstrap or root the package is not installed here (apt-get install debootstrap)."
fi
(cd "$out" && sha256sum ./*.deb ./*.tar ./*.json >SHA256SUMS)

# Signs SHA256SUMS with a key, and says how it is verified; the public key lies beside it.
sign() { # secret key
  if grep -q "OPENSSH PRIVATE KEY" "$1"; then
    ssh-keygen -q -Y sign -f "$1" -n sooner "$out/SHA256SUMS"
    echo "sooner $(ssh-keygen -y -f "$1")" >"$out/sooner.signers"
    verify=(ssh-keygen -q -Y verify -f "$out/sooner.signers" -I sooner -n sooner -s "$out/SHA256SUMS.sig")
  else
    command -v minisign >/dev/null || die "minisign is missing: apt-get install minisign"
    minisign -S -s "$1" -m "$out/SHA256SUMS" -t "sooner $version"
    minisign -R -s "$1" -p "$out/sooner.pub"
    verify=(minisign -V -q -p "$out/sooner.pub" -x "$out/SHA256SUMS.minisig" -m /dev/stdin)
  fi
}
if [[ -n "${SOONER_SIGN_KEY:-}" ]]; then
  say "Signature"
  sign "$SOONER_SIGN_KEY"
  "${verify[@]}" <"$out/SHA256SUMS" || die "The signature is not believed."
  # One that believes everything would show nothing.
  ! sed 's/^./x/' "$out/SHA256SUMS" | "${verify[@]}" 2>/dev/null || die "Other checksums are believed too."
else
  say "Without SOONER_SIGN_KEY the checksums are not signed."
fi
ls -lh "$out" >&2
