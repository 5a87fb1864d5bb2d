"""Drives changedetection.io and `sooner-bench look` against the sandbox; started by compare-changedetection.sh."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request

SOONER, FOLDER, WATCHES, CHECKS = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
PORT = 5217
TICK = os.sysconf("SC_CLK_TCK")
OPEN = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(url, body=None, headers=None, method=None):
    data = None if body is None else body.encode()
    request = urllib.request.Request(url, data=data, headers=headers or {}, method=method)
    with OPEN.open(request, timeout=60) as answer:
        return answer.headers, answer.read().decode()


def wait(what, seconds, question):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = question()
            if found:
                return found
        except OSError:
            pass
        time.sleep(0.2)
    sys.exit(f"gave up waiting for {what}")


def family(pid):
    """Returns a process and all its descendants."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += family(int(child))
    return found


def cpu_seconds(pid):
    total = 0
    for member in family(pid):
        fields = pathlib.Path(f"/proc/{member}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def rss_kib(pid):
    pages = 0
    for member in family(pid):
        pages += int(pathlib.Path(f"/proc/{member}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024


class Sandbox:
    def __init__(self):
        ready = FOLDER / "ready.json"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        arguments = [SOONER, "sandbox", "--scenario", "empty", "--ready", str(ready)]
        self.process = subprocess.Popen(arguments, **quiet)
        wait("the sandbox", 20, ready.exists)
        told = json.loads(ready.read_text())
        self.portal, self.control = told["portal_url"], told["control_url"]
        calm = {"ban": {"enabled": False}, "restricted_hours": False, "session_minutes": [100000, 100000]}
        self.post("/control/config", calm)

    def post(self, path, body):
        answer = ask(self.control + path, json.dumps(body), {"Content-Type": "application/json"})
        return json.loads(answer[1])

    def days_asked(self):
        return len(json.loads(ask(self.control + "/control/journal?kind=days")[1]))

    def signed_in(self):
        """Returns a signed-in cookie and the address of a list of days."""
        login = {"user[email]": "compare@example.com", "user[password]": "Maple-2026"}
        there = {"facility": 94, "date": "2028-08-17", "time": "08:15"}
        account = {"username": login["user[email]"], "password": "Maple-2026", "groups": [{"appointment": there}]}
        schedule = self.post("/control/accounts", account)["portal_schedule_ids"][0]
        slot = {"pool": "B1/B2", "facility": 94, "date": "2028-02-09", "time": "09:15", "max_party": 9}
        self.post("/control/slots", {**slot, "lifetime_seconds": None, "delay_seconds": None, "phantom": False})
        headers, page = ask(self.portal + "/en-ca/niv/users/sign_in", headers={"Accept": "text/html"})
        token = re.search(r'name="csrf-token" content="([^"]+)"', page).group(1)
        cookie = headers["set-cookie"].split(";")[0]
        form = {"utf8": "✓", "policy_confirmed": "1", "commit": "Sign In", **login}
        asked = {"Cookie": cookie, "X-CSRF-Token": token, "X-Requested-With": "XMLHttpRequest", "Accept": "*/*"}
        asked["Content-Type"] = "application/x-www-form-urlencoded"
        url = self.portal + "/en-ca/niv/users/sign_in"
        headers, answer = ask(url, urllib.parse.urlencode(form), asked)
        assert "window.location" in answer, answer
        days = f"/en-ca/niv/schedule/{schedule}/appointment/days/94.json?appointments[expedite]=false"
        return headers["set-cookie"].split(";")[0], self.portal + days


def changedetection(sandbox):
    data = FOLDER / "datastore"
    data.mkdir()
    environment = {
        **os.environ,
        "ALLOW_IANA_RESTRICTED_ADDRESSES": "true",
        "DISABLE_VERSION_CHECK": "true",
        "MINIMUM_SECONDS_RECHECK_TIME": "0",
        "no_proxy": "*",
    }
    program = FOLDER / "venv/bin/changedetection.io"
    arguments = [program, "-d", data, "-h", "127.0.0.1", "-p", str(PORT), "-l", "ERROR"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    process = subprocess.Popen(arguments, start_new_session=True, **quiet)
    try:
        return measured(sandbox, process.pid, data)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def measured(sandbox, pid, data):
    base = f"http://127.0.0.1:{PORT}"

    def key():
        for file in data.glob("*.json"):
            found = re.search(r'"api_access_token":\s*"([^"]+)"', file.read_text())
            if found:
                return found.group(1)
        return None

    headers = {"x-api-key": wait("its key", 60, key), "Content-Type": "application/json"}
    wait("its API", 60, lambda: ask(base + "/api/v1/systeminfo", headers=headers))
    for watch in json.loads(ask(base + "/api/v1/watch", headers=headers)[1]):
        ask(f"{base}/api/v1/watch/{watch}", headers=headers, method="DELETE")
    time.sleep(3)
    empty = rss_kib(pid)
    cookie, url = sandbox.signed_in()
    asked = {"Cookie": cookie, "X-Requested-With": "XMLHttpRequest", "Accept": "application/json"}
    rest = {"weeks": 0, "days": 30, "hours": 0, "minutes": 0, "seconds": 0}
    for n in range(WATCHES):
        watch = {"url": f"{url}&n={n}", "headers": asked, "time_between_check": rest}
        watch["time_between_check_use_default"] = False
        ask(base + "/api/v1/watch", json.dumps(watch), headers)
    wait("the first checks", 120, lambda: sandbox.days_asked() >= WATCHES)
    time.sleep(3)
    full = rss_kib(pid)
    before, begun, done = sandbox.days_asked(), cpu_seconds(pid), 0
    while done < CHECKS:
        ask(base + "/api/v1/watch?recheck_all=1", headers=headers)
        goal = before + done + WATCHES
        wait("a round of checks", 300, lambda: sandbox.days_asked() >= goal)
        done = sandbox.days_asked() - before
    time.sleep(2)
    done = sandbox.days_asked() - before
    spent = cpu_seconds(pid) - begun
    watches = json.loads(ask(base + "/api/v1/watch", headers=headers)[1])
    failed = sum(1 for w in watches.values() if w.get("last_error"))
    assert failed == 0, f"{failed} of its checks failed"
    return done, spent / done * 1e6, (full - empty) / WATCHES, full / 1024


def ours():
    arguments = [SOONER, "bench", "--json", "look", "--watches", str(WATCHES), "--looks", str(CHECKS)]
    row = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)["look"][0]
    return row["looks"], row["cpu_us_per_look"], row["kib_per_watch"], row["rss_mib"]


def main():
    sandbox = Sandbox()
    try:
        theirs = changedetection(sandbox)
    finally:
        sandbox.process.terminate()
    rows = [("changedetection.io", theirs), ("sooner", ours())]
    print(f"{'':20}{'checks':>10}{'CPU us/check':>16}{'KiB/watch':>12}{'RSS MiB':>10}")
    for name, (checks, cpu, memory, rss) in rows:
        print(f"{name:20}{checks:10.0f}{cpu:16.1f}{memory:12.1f}{rss:10.1f}")


main()
