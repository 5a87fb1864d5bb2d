"""Kills `sooner serve` with SIGKILL at random moments beside a running sandbox, and checks what is
left: every booking that the portal applied is recorded once and charged once, no other money moved,
no request was sent twice, and no date became later.

scripts/reliability.sh serve-kills calls it. Usage: kill_serve.py BINARY KILLS SEED
"""

import collections
import datetime
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

BINARY, KILLS, SEED = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
# A minute of the world passes in a second, so that a city is polled several times a minute.
SPEED = "60"
USERS, ACCOUNTS_EACH = 4, 3
PASSWORD, PORTAL_PASSWORD = "Sunrise#2026", "Maple-2026"
FUNDS = 1000.0
random.seed(SEED)


def request(method, url, body=None, token=None):
    """Returns the parsed answer. Raises on a refusal."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    call = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(call, timeout=30) as answer:
            return json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as refused:
        raise RuntimeError(f"{method} {url}: {refused.code} {refused.read()[:300]}") from refused


def wait_for(check, what, seconds=60):
    """Repeats `check` until it returns a value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            value = check()
            if value:
                return value
        except (OSError, RuntimeError, ValueError):
            pass
        time.sleep(0.05)
    raise SystemExit(f"{what}: not within {seconds} s")


class Drill:
    def __init__(self, folder):
        self.folder = folder
        ready = f"{folder}/sandbox.json"
        self.sandbox = subprocess.Popen(
            [BINARY, "sandbox", "--speed", SPEED, "--scenario", "empty", "--seed", str(SEED), "--ready", ready],
            stdout=subprocess.DEVNULL,
        )
        self.server = None

    def prepare(self):
        """Waits for the sandbox, and makes keys and settings."""
        ready, folder = f"{self.folder}/sandbox.json", self.folder
        self.there = json.loads(wait_for(lambda: open(ready).read(), "sandbox"))
        self.control = self.there["control_url"].rstrip("/")
        self.anchor = self.common_anchor()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "SOONER_DATABASE_URL": f"sqlite:{folder}/data/sooner.db",
            "SOONER_KEY_RING": f"{folder}/keys/sooner.keys",
            "SOONER_PORTAL_URL": self.there["portal_url"],
            "SOONER_REGISTRATION": "invite",
            "SOONER_BIND": "127.0.0.1:0",
        }
        os.mkdir(f"{folder}/keys", 0o700)
        os.mkdir(f"{folder}/data", 0o700)
        self.sooner("keys", "init", "--key-ring", f"{folder}/keys/sooner.keys")
        self.port = free_port()
        self.api = f"http://127.0.0.1:{self.port}/api/v1"
        self.log = open(f"{folder}/serve.log", "wb")

    def common_anchor(self):
        """Returns the instant from which world and server count, so that both have one time."""
        now = datetime.datetime.now(datetime.UTC)
        world = request("GET", f"{self.control}/control/clock")["now"]
        ahead = datetime.datetime.fromisoformat(world) - now
        return (now - ahead / (float(SPEED) - 1)).isoformat()

    def sooner(self, *arguments):
        done = subprocess.run(
            [BINARY, *arguments], env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"sooner {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self):
        self.server = subprocess.Popen(
            [BINARY, "serve", "--bind", f"127.0.0.1:{self.port}", "--public-url", f"http://127.0.0.1:{self.port}",
             "--allow-http", "--speed", SPEED, "--time-anchor", self.anchor],
            env=self.environment, stdout=self.log, stderr=self.log,
        )

    def wait_until_ready(self):
        def answers():
            if self.server.poll() is not None:
                raise SystemExit(f"serve ended with {self.server.returncode}; see {self.folder}/serve.log")
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5).status == 200

        wait_for(answers, "serve is ready")

    def kill(self):
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()

    def submit_tasks(self):
        """Makes users with money, portal accounts and active tasks."""
        codes = self.sooner("codes", "mint", "--amount", f"{FUNDS:.2f}", "--count", str(USERS))
        codes = [line.split(",")[0] for line in codes.splitlines() if line.count("-") >= 3]
        today = time.strftime("%Y-%m-%d")
        year = int(today[:4]) + 1
        self.tasks = []
        for n in range(USERS):
            link = self.sooner("users", "add", f"user{n}@example.com").strip().split("token=")[1].split()[0]
            signed_in = request("POST", f"{self.api}/auth/invitation", {"token": link, "password": PASSWORD})["data"]
            token = signed_in.get("access_token")
            if not token:
                refresh = {"refresh_token": signed_in["refresh_token"]}
                token = request("POST", f"{self.api}/auth/refresh", refresh)["data"]["access_token"]
            request("POST", f"{self.api}/topup/use", {"code": codes[n]}, token)
            for m in range(ACCOUNTS_EACH):
                name = f"portal{n}{m}@example.com"
                group = {
                    "applicants": [f"PERSON {n}{m}"],
                    "appointment": {"facility": 94, "date": f"{year}-11-17", "time": "08:15"},
                    "attempts": 1000,
                }
                account = {"username": name, "password": PORTAL_PASSWORD, "groups": [group]}
                request("POST", f"{self.control}/control/accounts", account)
                verified = request(
                    "POST", f"{self.api}/schedules/verify-credentials",
                    {"username": name, "password": PORTAL_PASSWORD}, token,
                )["data"]["schedules"][0]
                number = verified.get("portal_schedule_id") or verified["selected_appointments"][0]["schedule_id"]
                request("POST", f"{self.api}/schedules/configure", {
                    "schedule_id": verified["id"],
                    "selected_appointments": [{"schedule_id": str(number)}],
                    "search_params": {
                        "start_date": today, "end_date": f"{year}-10-31", "required_cities": ["Toronto", "Ottawa"],
                        "excluded_dates": [], "minimum_days_from_current": 0, "max_reschedules": 20,
                    },
                }, token)
                request("POST", f"{self.api}/schedules/submit", {"schedule_ids": [verified["id"]]}, token)
                self.tasks.append((verified["id"], token, name))

    def feed(self):
        """Frees one slot at a random date, for a while."""
        date = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86_400 * random.randint(20, 300)))
        slot = {
            "facility": random.choice([94, 92]), "date": date,
            "time": f"{random.randint(8, 15):02}:{random.choice(['00', '15', '30'])}",
            "lifetime_seconds": random.randint(600, 7200),
        }
        request("POST", f"{self.control}/control/slots", slot)

    def play(self):
        for n in range(KILLS):
            self.start()
            if random.random() < 0.85:
                self.wait_until_ready()
            end = time.monotonic() + random.choice([0.1, 0.5, 2, 4]) * random.random()
            while time.monotonic() < end:
                self.feed()
                time.sleep(0.15)
            self.kill()
            if n % 20 == 19:
                print(f"{n + 1} kills, {self.applied()} bookings", flush=True)

    def bookings(self):
        return request("GET", f"{self.control}/control/bookings")

    def applied(self):
        return sum(group["applied_posts"] for group in self.bookings()["groups"])

    def settle(self):
        """Runs without kills until no attempt is open."""
        self.start()
        self.wait_until_ready()
        time.sleep(60)

    def check(self):
        """Compares what the portal applied with what the server shows and charged."""
        wrong = []
        self.sooner("ledger", "check")
        book = self.bookings()
        portal = {group["account"]: group["appointment"] for group in book["groups"]}
        applied = collections.defaultdict(list)
        for change in book["applied"]:
            if change["to"]["date"] >= change["from"]["date"]:
                wrong.append(f"moved to a later date: {change}")
            applied[change["account"]].append((change["to"]["date"], change["to"]["time"]))
        money = collections.defaultdict(lambda: [0.0, 0.0])
        for identity, token, name in self.tasks:
            task = request("GET", f"{self.api}/schedules/{identity}/status", token=token)["data"]["schedule"]
            shown, there = task["appointments"][0], portal[name]
            if (shown["appointment_date"], shown["appointment_time"]) != (there["date"], there["time"]):
                wrong.append(f"{name}: shows {shown['appointment_date']}, the portal has {there}")
            recorded = [(one["date"], one["time"]) for one in task["success_history"]]
            if sorted(recorded) != sorted(applied[name]):
                wrong.append(f"{name}: recorded {recorded}, applied {applied[name]}")
            price = task["price"]
            if price["captured"] != (price["total"] if recorded else 0):
                wrong.append(f"{name}: {len(recorded)} bookings, charged {price['captured']}")
            money[token][0] += price["captured"]
            money[token][1] += price["on_hold"]
        for token, (charged, held) in money.items():
            credit = request("GET", f"{self.api}/users/credit", token=token)["data"]
            shown, due = (credit["credit"], credit["on_hold"]), (FUNDS - charged - held, held)
            if [round(100 * amount) for amount in shown] != [round(100 * amount) for amount in due]:
                wrong.append(f"balance and hold {shown}, expected {due}")
        return wrong, sum(map(len, applied.values()))


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="sooner-kills.")
    drill = Drill(folder)
    try:
        drill.prepare()
        drill.start()
        drill.wait_until_ready()
        drill.submit_tasks()
        drill.kill()
        drill.play()
        drill.settle()
        wrong, booked = drill.check()
        print(f"{KILLS} kills, seed {SEED}: {booked} bookings, {len(wrong)} differences")
        if not booked:
            raise SystemExit("nothing was booked, so nothing was checked")
        if wrong:
            raise SystemExit("\n".join(wrong))
    finally:
        if drill.server and drill.server.poll() is None:
            drill.kill()
        drill.sandbox.terminate()
        drill.sandbox.wait()
