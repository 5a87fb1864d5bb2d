#!/usr/bin/env python3
"""Makes the saved databases of an older build: see README.md in this folder.

    scripts/with-postgres.sh python3 crates/server/tests/saved/make.py SOONER FOLDER

SOONER is the binary of that build, FOLDER gets sooner.db.gz, sooner.sql.gz and test.keys. Needs psql and pg_dump.
Everybody in it is invented.
"""

import base64, gzip, hashlib, hmac, json, os, pathlib, re, shutil, signal, sqlite3, struct, subprocess, sys, tempfile
import time, urllib.error, urllib.request, uuid
from datetime import datetime, timedelta, timezone

from fill import fill

SOONER, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
PORTAL_PASSWORD, PASSWORD = "Maple-2026", "Abcdef1!"


# What ties a mailed link to the browser that registered; builds of before sent none.
BROWSER = {}


def call(base, method, path, token=None, body=None, expect=(200, 201, 202, 204)):
    request = urllib.request.Request(base + path, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("content-type", "application/json")
    request.add_header("sec-fetch-site", "same-origin")
    if token:
        request.add_header("authorization", f"Bearer {token}")
    if BROWSER:
        request.add_header("cookie", "; ".join(f"{name}={value}" for name, value in BROWSER.items()))
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            status, text = answer.status, answer.read()
            for cookie in answer.headers.get_all("set-cookie", []):
                name, _, value = cookie.split(";")[0].partition("=")
                if name.endswith("sooner_pre") and value:
                    BROWSER[name] = value
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    assert status in expect, (method, path, status, text)
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text.decode()


def totp(secret):
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class Demo:
    """The demo of that build, driven as people and operators do."""

    def __init__(self, data, speed="1"):
        data.mkdir()
        self.data, ready = data, data / "ready.json"
        words = [SOONER, "demo", "--port", "0", "--data", data, "--ready", ready, "--seed", "3", "--speed", speed]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=open(data / "log", "w"))
        for _ in range(300):
            if ready.exists() and ready.stat().st_size:
                break
            time.sleep(0.2)
        self.there = json.loads(ready.read_text())
        self.api, self.sandbox = self.there["url"] + "/api/v1", self.there["sandbox_url"]

    def operator(self, *arguments):
        words = [SOONER, arguments[0], "--database-url", f"sqlite:{self.data}/sooner.db"]
        if arguments[0] == "codes":
            words += ["--key-ring", f"{self.data}/demo.keys"]
        words += arguments[1:]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def code(self, amount):
        return [word for word in re.findall(r"[0-9a-z-]{16,}", self.operator("codes", "mint", "--amount", amount))
                if not re.match(r"\d{4}-", word) and len(word) < 30][0]

    def portal(self, name, days, groups=1):
        day = datetime.now(timezone.utc).date() + timedelta(days=days)
        group = lambda n: {"applicants": [f"{name.upper()} {n}"],
                           "appointment": {"facility": 94, "date": str(day + timedelta(days=n)), "time": "08:15"}}
        body = {"username": f"{name}@example.com", "password": PORTAL_PASSWORD, "groups": [group(n) for n in range(groups)]}
        call(self.sandbox, "POST", "/control/accounts", None, body)

    def mail_link(self, to):
        for _ in range(60):
            for mail in call(self.sandbox, "GET", "/inbox.json"):
                text = json.dumps(call(self.sandbox, "GET", f"/inbox/{mail['id']}.json"))
                found = re.search(r"verify-email\?token=([0-9A-Za-z_-]+)", text)
                if to in text and found:
                    return found[1]
            time.sleep(0.5)
        raise SystemExit(f"no mail for {to}")

    def person(self, name, referral=None):
        email = f"{name}@example.com"
        body = {"email": email, "username": email, "password": PASSWORD, "language": "en", "referral_code": referral}
        call(self.api, "POST", "/auth/register", None, body)
        call(self.api, "GET", f"/auth/verify-email?token={self.mail_link(email)}")
        BROWSER.clear()
        return self.login(email, PASSWORD)

    def login(self, email, password, **more):
        body = {"username": email, "password": password, "rememberMe": True, **more}
        return call(self.api, "POST", "/auth/login", None, body)["data"]

    def drafts(self, token, name):
        body = {"username": f"{name}@example.com", "password": PORTAL_PASSWORD}
        return call(self.api, "POST", "/schedules/verify-credentials", token, body)["data"]["schedules"]

    def configure(self, token, draft, cities=("Toronto", "Ottawa"), **more):
        day = datetime.now(timezone.utc).date()
        search = {"start_date": str(day + timedelta(days=8)), "end_date": str(day + timedelta(days=12)),
                  "required_cities": list(cities), "excluded_dates": [], "minimum_days_from_current": 0}
        chosen = [{"schedule_id": a["schedule_id"]} for a in draft["appointments"]]
        body = {"schedule_id": draft["id"], "selected_appointments": chosen, "search_params": search, **more}
        call(self.api, "POST", "/schedules/configure", token, body)
        return draft["id"]

    def submit(self, token, ids, **more):
        call(self.api, "POST", "/schedules/submit", token, {"schedule_ids": ids, **more})

    def kill(self):
        """As a crash leaves it: the lease is not given back."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def live(demo):
    """An hour of several people's use, in a minute."""
    for at, name in enumerate("ping qiao ruan shen tang".split()):
        demo.portal(name, 200 + 10 * at)
    demo.portal("umar", 260, groups=3)
    demo.operator("groups", "add", "Agencies", "--discount", "2.00")
    demo.operator("promos", "add", "SPRING", "--amount", "3.00")
    demo.operator("referrals", "set", "--newcomer", "4.00", "--referrer", "5.00")
    mei = demo.person("mei")
    token = mei["access_token"]
    referral = call(demo.api, "GET", "/users/referral", token)["data"]["code"]
    demo.operator("groups", "assign", "Agencies", "mei@example.com")
    demo.operator("users", "discount", "mei@example.com", "--amount", "1.50", "--note", "a regular")
    call(demo.api, "POST", "/topup/use", token, {"code": demo.code("400.00")})
    ids = [demo.configure(token, demo.drafts(token, name)[0]) for name in ("ping", "qiao", "ruan", "shen")]
    demo.submit(token, ids[:1], promo_code="SPRING")
    demo.submit(token, ids[1:])
    call(demo.api, "POST", "/auth/step-up", token, {"password": PASSWORD})
    secret = call(demo.api, "POST", "/user/totp", token)["data"]["secret"]
    call(demo.api, "POST", "/user/totp/confirm", token, {"code": totp(secret)})
    bo = demo.person("bo", referral)
    other = bo["access_token"]
    call(demo.api, "POST", "/topup/use", other, {"code": demo.code("100.00")})
    card(demo, other)
    call(demo.api, "POST", "/auth/refresh", None, {"refresh_token": bo["refresh_token"]})
    tang = demo.configure(other, demo.drafts(other, "tang")[0], ("Toronto",), keep_current_appointment=True)
    demo.submit(other, [tang])
    umar = demo.drafts(other, "umar")
    demo.submit(other, [demo.configure(other, umar[0])])
    demo.configure(other, umar[1])
    own = demo.login("demo@example.com", demo.there["password"])["access_token"]
    for number, draft in enumerate(demo.drafts(own, "wangjiaqi")):
        if number == 0:
            call(demo.api, "DELETE", f"/schedules/{draft['id']}", own)
    time.sleep(75)
    booked = call(demo.api, "GET", "/schedules?page=1&page_size=20", own)["data"]["schedules"]
    seeded = [s for s in booked if s["status"] in ("active", "stopped")][0]["id"]
    call(demo.api, "POST", f"/schedules/{seeded}/rating", own, {"stars": 5, "comment": "Quick"})
    # One password too many, and one nobody here knows.
    call(demo.api, "POST", "/auth/login", None, {"username": "mei@example.com", "password": "wrong"}, (401,))
    body = {"username": "nobody@example.com", "password": "wrong"}
    call(demo.api, "POST", "/schedules/verify-credentials", other, body, (422,))


def learned(folder):
    """What an engine learns within half an hour, at forty times the pace."""
    demo = Demo(folder, "40")
    time.sleep(45)
    demo.kill()
    return list(sqlite3.connect(folder / "sooner.db").execute("SELECT subject, data, learned_at FROM learned"))


def card(demo, token):
    for amount in (20, 30):
        body = {"amount": amount, "metadata": {"source": "dashboard"}}
        answer = call(demo.api, "POST", "/payment/stripe/create-intent", token, body)["data"]
        intent = next(v for k, v in answer.items() if isinstance(v, str) and v.startswith("pi_") and "secret" not in v)
        call(demo.sandbox, "POST", f"/control/card/intents/{intent}/pay", None, {})
    time.sleep(4)
    demo.operator("payments", "refund", intent, "--amount", "7.00", "--why", "asked for it")
    time.sleep(4)
    call(demo.sandbox, "POST", f"/control/card/intents/{intent}/dispute", None, {"amount": 500})
    call(demo.api, "POST", "/payment/stripe/create-intent", token, {"amount": 40, "metadata": {"source": "dashboard"}})
    time.sleep(3)


def to_postgres(db, url):
    """The same rows in a PostgreSQL database that the build itself has migrated."""
    subprocess.run([SOONER, "migrate", "--database-url", url], check=True, stdout=subprocess.DEVNULL)
    ask = lambda sql: subprocess.run(["psql", "-XAtq", "-F", "|", url, "-c", sql], check=True, capture_output=True,
                                     text=True).stdout.splitlines()
    columns = {}
    for line in ask("SELECT table_name, column_name, data_type FROM information_schema.columns"
                    " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"):
        table, column, kind = line.split("|")
        columns.setdefault(table, []).append((column, kind))
    lines = ["SET session_replication_role = replica;", "BEGIN;"]
    for table, of in columns.items():
        if table == "migration":
            continue
        names = ", ".join(name for name, _ in of)
        for row in db.execute(f"SELECT {names} FROM {table}"):
            values = ", ".join(literal(value, kind) for value, (_, kind) in zip(row, of))
            lines.append(f"INSERT INTO {table} ({names}) VALUES ({values});")
    lines.append("COMMIT;")
    subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", url], input="\n".join(lines), check=True, text=True)
    dump = subprocess.run(["pg_dump", "--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges", url],
                          check=True, capture_output=True, text=True).stdout
    # What only psql understands, and what would outlive the loading of it in its connection.
    drop = re.compile(r"^(\\|--|SET |SELECT pg_catalog.set_config).*\n?", re.M)
    return re.sub(r"\n{2,}", "\n", drop.sub("", dump))


def literal(value, kind):
    if value is None:
        return "NULL"
    if kind == "uuid":
        return f"'{uuid.UUID(bytes=value)}'"
    if kind == "bytea":
        return f"'\\x{value.hex()}'"
    if kind == "boolean":
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return str(value)
    value = value.decode() if isinstance(value, bytes) else value
    return "'" + value.replace("'", "''") + "'"


def packed(path, data):
    with open(path, "wb") as file, gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as out:
        out.write(data)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        data = pathlib.Path(name) / "data"
        demo = Demo(data)
        try:
            live(demo)
        finally:
            demo.kill()
        db = sqlite3.connect(data / "sooner.db")
        known = learned(pathlib.Path(name) / "faster")
        assert known, "nothing was learned"
        db.executemany("INSERT OR IGNORE INTO learned VALUES (?, ?, ?)", known)
        fill(db)
        tables = [t for (t,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        empty = [t for t in tables if db.execute(f"SELECT COUNT(*) FROM {t}").fetchone()[0] == 0]
        assert not empty, f"no row in {empty}"
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("VACUUM")
        db.execute("PRAGMA journal_mode = DELETE")
        server = os.environ["SOONER_TEST_POSTGRES"]
        url = server.rsplit("/", 1)[0] + f"/saved_{os.getpid()}"
        subprocess.run(["psql", "-Xq", server, "-c", f"CREATE DATABASE saved_{os.getpid()}"], check=True)
        packed(FOLDER / "sooner.sql.gz", to_postgres(db, url).encode())
        db.close()
        packed(FOLDER / "sooner.db.gz", (data / "sooner.db").read_bytes())
        shutil.copyfile(data / "demo.keys", FOLDER / "test.keys")


if __name__ == "__main__":
    main()
