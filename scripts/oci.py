#!/usr/bin/env python3
"""Makes an OCI archive (an image layout in a tar) of a folder, byte for byte the same each time.

    scripts/oci.py ROOTFS ARCHIVE VERSION [REVISION]

SOURCE_DATE_EPOCH is the time of everything in it. What it runs, as whom and with which settings stands below. Load it with
`podman load -i`, or `skopeo copy oci-archive:ARCHIVE docker-daemon:sooner:VERSION`.
"""

import gzip, hashlib, io, json, os, pathlib, platform, sys, tarfile
from datetime import datetime, timezone

ROOTFS, ARCHIVE, VERSION = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
REVISION = sys.argv[4] if len(sys.argv) > 4 else ""
EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
CREATED = datetime.fromtimestamp(EPOCH, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
# As OCI names what this machine is; the program was built here.
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
USER = 65532
OWNED_BY_USER = ("data", "keys")
ENVIRONMENT = ["PATH=/usr/bin", "SOONER_BIND=0.0.0.0:8080", "SOONER_DATABASE_URL=sqlite:/data/sooner.db",
               "SOONER_KEY_RING=/keys/sooner.keys", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"]


def plain(info):
    info.mtime, info.uname, info.gname = EPOCH, "", ""
    owner = USER if info.name.split("/")[0] in OWNED_BY_USER else 0
    info.uid = info.gid = owner
    return info


def layer():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(ROOTFS.rglob("*")):
            tar.add(path, arcname=str(path.relative_to(ROOTFS)), recursive=False, filter=plain)
    return out.getvalue()


def main():
    blobs = {}

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def document(value):
        return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()

    content = layer()
    packed = blob(gzip.compress(content, compresslevel=6, mtime=0), "layer.v1.tar+gzip")
    labels = {"org.opencontainers.image.title": "sooner", "org.opencontainers.image.version": VERSION,
              "org.opencontainers.image.licenses": "AGPL-3.0-only", "org.opencontainers.image.revision": REVISION}
    config = blob(document({
        "architecture": ARCHITECTURE, "os": "linux", "created": CREATED,
        "config": {"User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/sooner"], "Cmd": ["serve"], "Env": ENVIRONMENT,
                   "WorkingDir": "/data", "ExposedPorts": {"8080/tcp": {}}, "Volumes": {"/data": {}, "/keys": {}},
                   "StopSignal": "SIGTERM", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(content).hexdigest()]},
        "history": [{"created": CREATED, "created_by": "scripts/package.sh"}],
    }), "config.v1+json")
    manifest = blob(document({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config,
                              "layers": [packed], "annotations": labels}), "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": VERSION}
    files = {"oci-layout": document({"imageLayoutVersion": "1.0.0"}),
             "index.json": document({"schemaVersion": 2, "manifests": [manifest]})}
    files |= {f"blobs/sha256/{digest}": data for digest, data in blobs.items()}
    with tarfile.open(ARCHIVE, "w", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted(files):
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(files[name]), EPOCH
            tar.addfile(info, io.BytesIO(files[name]))


main()
