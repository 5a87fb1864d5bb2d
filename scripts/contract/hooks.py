"""Signs the contract tester in to the demo, and gives it ids of the demo's world.

`SOONER_READY` names the demo's ready file. scripts/contract.sh loads this module through
SCHEMATHESIS_HOOKS.
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
    """Returns an access token of the demo's account, from a new sign-in."""
    credentials = {"username": READY["email"], "password": READY["password"]}
    answer = requests.post(f"{API}/auth/login", json=credentials, timeout=60)
    # In a long run the tests of the sign-in itself exhaust the address's limit.
    while answer.status_code == 429:
        time.sleep(int(answer.headers["Retry-After"]))
        answer = requests.post(f"{API}/auth/login", json=credentials, timeout=60)
    answer.raise_for_status()
    return answer.json()["data"]["access_token"]


def first_task():
    """Returns the seeded task's id, without which the handlers below /schedules/{id} find no task."""
    headers = {"Authorization": f"Bearer {token()}"}
    tasks = requests.get(f"{API}/schedules", headers=headers, timeout=60).json()["data"]["schedules"]
    return tasks[0]["id"] if tasks else None


TASK = first_task()


# One sign-in per operation, so that an operation can end only its own. Access tokens live for 15
# minutes.
@schemathesis.auth(refresh_interval=600, cache_by_key=lambda case, _: case.operation.label)
class SignedIn:
    """Sends every request as a signed-in user."""

    def get(self, _case, _context):
        return token()

    def set(self, case, data, _context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Replaces every second task id by an existing one, except in requests that delete it."""
    operation = context.operation
    if not path_parameters or TASK is None or operation.method.upper() == "DELETE":
        return path_parameters
    if not operation.path.startswith("/schedules/{id}"):
        return path_parameters
    drawn = zlib.crc32(repr(path_parameters.get("id")).encode())
    return {**path_parameters, "id": TASK} if drawn % 2 else path_parameters
