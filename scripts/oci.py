#!/usr/bin/env python3
"""Writes a folder as a reproducible image archive for `podman load` and `docker load`.

    scripts/oci.py ROOTFS ARCHIVE --version VERSION --revision COMMIT --architecture amd64|arm64

The archive is an OCI image layout in a tar, with the `manifest.json` of `docker save` for engines
that read no OCI layout. Both name the image `sooner:VERSION`, which the compose files in
deploy/container use. SOURCE_DATE_EPOCH is the time of all its files.
"""

import argparse, gzip, hashlib, io, json, os, pathlib, tarfile
from datetime import datetime, timezone

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
CREATED = datetime.fromtimestamp(EPOCH, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
USER = 65532
OWNED_BY_USER = ("data", "keys")
ENVIRONMENT = ["PATH=/usr/bin", "SOONER_BIND=0.0.0.0:8080", "SOONER_DATABASE_URL=sqlite:/data/sooner.db",
               "SOONER_KEY_RING=/keys/sooner.keys", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"]


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("rootfs", type=pathlib.Path)
    parser.add_argument("archive")
    parser.add_argument("--version", required=True)
    parser.add_argument("--revision", required=True)
    parser.add_argument("--architecture", required=True, choices=("amd64", "arm64"))
    return parser.parse_args()


def without_host_details(info):
    info.mtime, info.uname, info.gname = EPOCH, "", ""
    owner = USER if info.name.split("/")[0] in OWNED_BY_USER else 0
    info.uid = info.gid = owner
    return info


def layer(rootfs):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(rootfs.rglob("*")):
            name = str(path.relative_to(rootfs))
            tar.add(path, arcname=name, recursive=False, filter=without_host_details)
    return out.getvalue()


def document(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def main():
    asked = arguments()
    blobs = {}

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    def path(descriptor):
        return "blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")

    content = layer(asked.rootfs)
    packed = blob(gzip.compress(content, compresslevel=6, mtime=0), "layer.v1.tar+gzip")
    labels = {"org.opencontainers.image.title": "sooner", "org.opencontainers.image.version": asked.version,
              "org.opencontainers.image.licenses": "AGPL-3.0-only", "org.opencontainers.image.revision": asked.revision}
    config = blob(document({
        "architecture": asked.architecture, "os": "linux", "created": CREATED,
        "config": {"User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/sooner"], "Cmd": ["serve"], "Env": ENVIRONMENT,
                   "WorkingDir": "/data", "ExposedPorts": {"8080/tcp": {}}, "Volumes": {"/data": {}, "/keys": {}},
                   "StopSignal": "SIGTERM", "Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(content).hexdigest()]},
        "history": [{"created": CREATED, "created_by": "scripts/package.sh"}],
    }), "config.v1+json")
    manifest = blob(document({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                              "config": config, "layers": [packed], "annotations": labels}), "manifest.v1+json")
    name = f"sooner:{asked.version}"
    # Podman reads the image's name from the first, containerd (and Docker on it) from the second.
    manifest["annotations"] = {"org.opencontainers.image.ref.name": name,
                               "io.containerd.image.name": f"docker.io/library/{name}"}
    files = {"oci-layout": document({"imageLayoutVersion": "1.0.0"}),
             "index.json": document({"schemaVersion": 2, "manifests": [manifest]}),
             "manifest.json": document([{"Config": path(config), "RepoTags": [name], "Layers": [path(packed)]}])}
    files |= blobs
    with tarfile.open(asked.archive, "w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(files):
            info = tarfile.TarInfo(file)
            info.size, info.mtime = len(files[file]), EPOCH
            tar.addfile(info, io.BytesIO(files[file]))


main()
