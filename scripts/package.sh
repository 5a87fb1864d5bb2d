#!/usr/bin/env bash
# Creates a Debian package, an image archive, lists of their components and checksums in
# target/package/, and tests each.
#   scripts/package.sh                     packages target/release/sooner, which it builds first
#   SOONER_BINARY=FILE scripts/package.sh  packages an existing binary
#   TARGET=aarch64-unknown-linux-gnu       packages for another machine; nothing is started then
#   SOONER_HOST_BINARY=FILE                with TARGET: a build of the same version for this machine,
#                                          which writes the manual
#   SOONER_MAINTAINER='NAME <ADDRESS>'     names the package's maintainer
#   SOONER_SIGN_KEY=FILE                   signs the checksums with a secret key of minisign (prompts
#                                          for its password) or of OpenSSH
# As root it also installs the package in a fresh Debian and starts the image with Podman. Otherwise
# it skips that and reports it. SOONER_DEBOOTSTRAP names debootstrap if it is not installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
read_target
scripts/bootstrap.sh package
binary="${SOONER_BINARY:-}"
if [[ -z "$binary" ]]; then
  scripts/build.sh
  binary="$release_dir/sooner"
fi
# The program that runs on this machine, and the tools that read and modify the packaged one.
runnable="$binary" tools=""
if ((cross)); then
  tools="$gnu_triple-"
  runnable="${SOONER_HOST_BINARY:-}"
  if [[ -z "$runnable" ]]; then
    cargo build --locked -p sooner-server --bin sooner
    runnable="${CARGO_TARGET_DIR:-target}/debug/sooner"
  fi
fi
maintainer="${SOONER_MAINTAINER:-Sooner maintainers <maintainers@sooner.invalid>}"
out="$root/target/package"
rm -rf "$out" && mkdir -p "$out"
work="$(mktemp -d)"
# Other users than root read these files.
chmod 755 "$work"
server=""
cleanup() {
  [[ -z "$server" ]] || stop_gently "$server" >/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
version="$("$runnable" --version | awk '{ print $2 }')"
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
# Each commit has a higher version than its parent. Otherwise apt would keep the installed package.
package_version="$version+$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).g$(git rev-parse --short=8 HEAD)"
grep -qa 'site\.webmanifest' "$binary" || die "The web app is not in $binary: scripts/web.sh build, then build it."
umask 022

say "Manual, completion, example of a settings file"
"$runnable" manual "$work/man"
for shell in bash zsh fish; do "$runnable" completion "$shell" >"$work/completion.$shell"; done
bash -n "$work/completion.bash"

# With every line active, so that an obsolete setting is detected.
sed -E 's/^#([a-z_]+ = )/\1/' deploy/sooner.toml.example >"$work/sooner.toml"
"$runnable" --config "$work/sooner.toml" serve --help >/dev/null

say "systemd units"
# systemd-analyze requires the programs that the units start.
for unit in sooner.service sooner-backup.service sooner-backup.timer; do
  sed -e "s#/usr/bin/sooner#$(realpath "$runnable")#" -e "s#/usr/lib/sooner/backup#$root/deploy/debian/backup#" \
    "deploy/systemd/$unit" >"$work/$unit"
done
# Manual pages are not installed here.
systemd-analyze verify --man=no "$work/sooner.service" "$work/sooner-backup.timer"
for unit in sooner.service:15 sooner-backup.service:35; do
  systemd-analyze security --offline=true --threshold="${unit#*:}" "$work/${unit%:*}" | tail -n 1
done

say "Alert rules, scrape settings, compose files"
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
                assert place.exists() or there.split("/")[1] in ("secrets", "backups"), f"{path}: {there} is missing"
            else:
                assert there in file["volumes"], f"{path}: the volume {there} is not declared"
    print(path, len(file["services"]), "services")
END

make_deb() { # folder, file
  local to="$1" page
  mkdir -p "$to"/{DEBIAN,etc/sooner,usr/bin,usr/sbin,usr/lib/sooner,usr/lib/systemd/system,usr/lib/sysusers.d} \
    "$to"/usr/share/man/{man1,man8} \
    "$to"/usr/share/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d,doc/sooner/examples}
  install -m 755 "$binary" "$to/usr/bin/sooner"
  "${tools}strip" --strip-unneeded "$to/usr/bin/sooner"
  install -m 755 deploy/debian/as_sooner "$to/usr/sbin/"
  install -m 755 deploy/debian/backup "$to/usr/lib/sooner/"
  install -m 644 deploy/systemd/{sooner.service,sooner-backup.service,sooner-backup.timer} "$to/usr/lib/systemd/system/"
  install -m 644 deploy/systemd/sooner.sysusers "$to/usr/lib/sysusers.d/sooner.conf"
  install -m 640 deploy/debian/{sooner,backup}.env "$to/etc/sooner/"
  for page in "$work"/man/*.1; do gzip -9nc "$page" >"$to/usr/share/man/man1/${page##*/}.gz"; done
  gzip -9nc deploy/debian/as_sooner.8 >"$to/usr/share/man/man8/as_sooner.8.gz"
  install -m 644 "$work/completion.bash" "$to/usr/share/bash-completion/completions/sooner"
  install -m 644 "$work/completion.zsh" "$to/usr/share/zsh/vendor-completions/_sooner"
  install -m 644 "$work/completion.fish" "$to/usr/share/fish/vendor_completions.d/sooner.fish"
  install -m 644 docs/{OPERATING,RUNBOOK,SETTINGS,RETENTION,INSTALL}.md "$to/usr/share/doc/sooner/"
  cp -r deploy/proxy deploy/prometheus deploy/container deploy/sooner.toml.example "$to/usr/share/doc/sooner/examples/"
  # The package contains no settings or secrets of the build machine.
  rm -rf "$to"/usr/share/doc/sooner/examples/container/{secrets,backups,.env}
  install -m 644 LICENSE "$to/usr/share/doc/sooner/copyright"
  install -D -m 644 deploy/debian/lintian-overrides "$to/usr/share/lintian/overrides/sooner"
  gzip -9n <"$work/changelog" >"$to/usr/share/doc/sooner/changelog.gz"
  install -m 755 deploy/debian/{postinst,prerm,postrm} "$to/DEBIAN/"
  printf '/etc/sooner/%s\n' sooner.env backup.env >"$to/DEBIAN/conffiles"
  cat >"$to/DEBIAN/control" <<END
Package: sooner
Version: $package_version
Architecture: $architecture
Maintainer: $maintainer
Section: web
Priority: optional
Depends: libc6 (>= $(glibc)), libgcc-s1, ca-certificates
Recommends: systemd
Suggests: caddy | nginx, postgresql, prometheus, rsync, curl
Installed-Size: $(installed_size "$to")
Description: watches visa appointments and books earlier ones
 One server with web app, API, engine and mail delivery, on SQLite or
 PostgreSQL.
END
  (cd "$to" && find usr etc -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$to/DEBIAN/md5sums"
  find "$to" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz --build "$to" "$2" >/dev/null
}

# Prints a size in KiB as dpkg counts it. A folder counts 1, because its size depends on the file
# system.
installed_size() { # folder
  find "$1/usr" "$1/etc" -printf '%y %s\n' | awk '{ all += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print all }'
}

# Prints the version of glibc that the program needs.
glibc() { "${tools}objdump" -T "$binary" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -uV | tail -n 1; }

say "Debian package"
{
  printf 'sooner (%s) stable; urgency=medium\n\n' "$package_version"
  scripts/notes.sh "$version" | awk '/^###/ { printf "  [ %s ]\n", $2; next } /^- / { print "  * " substr($0, 3); next } { print $0 == "" ? "" : "  " $0 }'
  printf '\n -- %s  %s\n' "$maintainer" "$(date -uR -d "@$SOURCE_DATE_EPOCH")"
} >"$work/changelog"
deb="$out/sooner_${package_version}_$architecture.deb"
make_deb "$work/deb" "$deb"
make_deb "$work/deb-again" "$work/again.deb"
cmp "$deb" "$work/again.deb" || die "Two builds of the package differ."
lintian --allow-root --fail-on error "$deb"

say "Image archive"
rootfs="$work/rootfs"
mkdir -p "$rootfs"/{usr/bin,etc/ssl/certs,data,keys}
mkdir -m 1777 "$rootfs/tmp"
install -m 755 "$work/deb/usr/bin/sooner" "$rootfs/usr/bin/"
# The libraries and the program loader.
if ((cross)); then
  # The binary contains the loader's path. The libraries are beside that machine's C library.
  loader="$(readelf -l "$binary" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')"
  install -D "$(realpath "/usr/$gnu_triple/lib/${loader##*/}")" "$rootfs$loader"
  readelf -d "$binary" | sed -n 's/.*Shared library: \[\(.*\)\]/\1/p' | while read -r library; do
    [[ "$library" == "${loader##*/}" ]] ||
      install -D "$(realpath "/usr/$gnu_triple/lib/$library")" "$rootfs/lib/$gnu_triple/$library"
  done
else
  ldd "$binary" | grep -oE '/[^ ]+' | while read -r library; do install -D "$(realpath "$library")" "$rootfs$library"; done
fi
cp /etc/ssl/certs/ca-certificates.crt "$rootfs/etc/ssl/certs/"
echo 'sooner:x:65532:65532::/data:/nonexistent' >"$rootfs/etc/passwd"
echo 'sooner:x:65532:' >"$rootfs/etc/group"
oci="$out/sooner_${version}_${architecture}_oci.tar"
make_image() { # file
  scripts/oci.py "$rootfs" "$1" --version "$version" --revision "$(git rev-parse HEAD)" \
    --architecture "$architecture"
}
make_image "$oci"
make_image "$work/again.tar"
cmp "$oci" "$work/again.tar" || die "Two builds of the archive differ."

say "Lists of components"
scripts/sbom.py >"$out/sooner.cdx.json"
(use_node && cd web && npm sbom --package-lock-only --omit dev --sbom-format cyclonedx 2>/dev/null) >"$out/sooner-web.cdx.json"
python3 -c 'import json, sys; [print(path, len(json.load(open(path))["components"]), "components") for path in sys.argv[1:]]' "$out"/*.cdx.json

# Starts a server, waits until it is ready, and stops it.
serves() { # the check's command, then --, then the server's command
  local check=()
  while [[ "$1" != -- ]]; do check+=("$1") && shift; done
  shift
  "$@" >"$work/log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    if "${check[@]}" 2>/dev/null; then
      stop_gently "$server" || die "The server failed at its end: $(tail -n 5 "$work/log")"
      server=""
      return
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  die "The server did not become ready: $(tail -n 5 "$work/log")"
}

if ((cross)); then
  say "Built for $triple: the package is not installed and the image not started on this machine."
elif ((EUID != 0)); then
  say "Not root: the package is not installed and the image not started here."
else
  scripts/try-image.sh "$oci"
fi
if ((EUID == 0 && !cross)) && debootstrap="$(command -v "${SOONER_DEBOOTSTRAP:-debootstrap}")"; then
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
  # The backup as its unit runs it, and an operator's command. Two of three backups remain.
  for _ in 1 2 3; do
    within env BACKUP_DIR=/var/backups/sooner BACKUP_KEEP=2 setpriv --reuid=sooner --regid=sooner --init-groups \
      sh -c 'cd /var/lib/sooner; set -a; . /etc/sooner/sooner.env; exec /usr/lib/sooner/backup'
  done
  [[ "$(find "$debian/var/backups/sooner" -name 'sooner-*.db' | wc -l)" == 2 ]] || die "Old backups were not removed."
  within as_sooner plans list
  echo SOONER_NODE=mine >>"$debian/etc/sooner/sooner.env"
  within dpkg -i /sooner.deb
  grep -q SOONER_NODE=mine "$debian/etc/sooner/sooner.env" || die "An upgrade changed the operator's settings."
  serves "${as[@]}" healthcheck -- "${as[@]}" serve
  within dpkg --purge sooner
  [[ -s "$debian/var/lib/sooner/sooner.db" && -s "$debian/etc/sooner/keys/sooner.keys" ]] ||
    die "Removing the package removed what is the operator's."
  [[ ! -e "$debian/usr/bin/sooner" ]] || die "The program is still there."
elif ((!cross)); then
  say "Without root or debootstrap the package is not installed in a fresh Debian."
fi
(cd "$out" && sha256sum ./*.deb ./*.tar ./*.json >SHA256SUMS)

if [[ -n "${SOONER_SIGN_KEY:-}" ]]; then
  scripts/sign.sh "$SOONER_SIGN_KEY" "$out"
else
  say "Without SOONER_SIGN_KEY the checksums are not signed."
fi
ls -lh "$out" >&2
