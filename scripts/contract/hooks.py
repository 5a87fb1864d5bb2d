"""How the contract tester signs in to the demo, and what it is told about the demo's world.

`SOONER_READY` names the demo's ready file. Loaded by scripts/contract.sh through SCHEMATHESIS_HOOKS.
"""

import json
import os
import time
import zlib

import requests
import schemathesis

with open(os.environ["SOONER_READY"], encoding="utf-8") as file:
    READY = json.load(file)
API = READY["url"] + "/api/v1"


def token():
    """An access token of the demo's own account, from a sign-in of its own."""
    credentials = {"username": READY["email"], "password": READY["password"]}
    answer = requests.post(f"{API}/auth/login", json=credentials, timeout=60)
    # In a long run what is tried on the sign-in itself uses up the address's share.
    while answer.status_code == 429:
        time.sleep(int(answer.headers["Retry-After"]))
        answer = requests.post(f"{API}/auth/login", json=credentials, timeout=60)
    answer.raise_for_status()
    return answer.json()["data"]["access_token"]


def first_task():
    """The seeded task's id, which handlers below /schedules/{id} need to have something to do with."""
    headers = {"Authorization": f"Bearer {token()}"}
    tasks = requests.get(f"{API}/schedules", headers=headers, timeout=60).json()["data"]["schedules"]
    return tasks[0]["id"] if tasks else None


TASK = first_task()


# One sign-in per operation: what ends a sign-in ends only its own. Access tokens live for 15 minutes.
@schemathesis.auth(refresh_interval=600, cache_by_key=lambda case, _: case.operation.label)
class SignedIn:
    """Sends every request as somebody who is signed in."""

    def get(self, _case, _context):
        return token()

    def set(self, case, data, _context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Every second id of a task is one that exists, except where it would be deleted."""
    operation = context.operation
    if not path_parameters or TASK is None or operation.method.upper() == "DELETE":
        return path_parameters
    if not operation.path.startswith("/schedules/{id}"):
        return path_parameters
    drawn = zlib.crc32(repr(path_parameters.get("id")).encode())
    return {**path_parameters, "id": TASK} if drawn % 2 else path_parameters
