"""What a minute of use does not bring about: the rarer states, written into the older build's own schema."""

import json, secrets, uuid
from datetime import datetime, timedelta, timezone

NOW = datetime.now(timezone.utc)


def at(**back):
    return (NOW - timedelta(**back)).isoformat(timespec="microseconds")


def fresh():
    return uuid.uuid4().bytes


def put(db, table, **row):
    row = {k: json.dumps(v, separators=(",", ":"), ensure_ascii=False) if isinstance(v, (dict, list)) else v
           for k, v in row.items()}
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def one(db, sql, *args):
    return db.execute(sql, args).fetchone()


def task_of(db, name):
    return one(db, """SELECT task.id FROM task JOIN credential c ON c.portal_account_id = task.portal_account_id
        WHERE c.username = ? AND status <> 'draft' ORDER BY status = 'configured', task.created_at LIMIT 1""",
               f"{name}@example.com")[0]


def fill(db):
    tasks = {name: task_of(db, name) for name in "ping qiao ruan shen tang umar linzhixia".split()}
    attempts(db, tasks)
    states(db, tasks)
    journal(db, tasks["ping"])
    mails(db)
    sign_ins(db)
    money(db, tasks)
    rest(db, tasks)
    db.commit()


def attempts(db, tasks):
    """One of each state: the live ones under four logins, the settled ones under others."""
    shown = lambda date: {"shown": "appointment", "slot": {"facility": 94, "date": date, "time": "08:15:00"}}
    reading = lambda back, date: {"at": at(seconds=back), "attempts_left": None, "shown": shown(date)}
    evidence = {"error": None, "flash": None, "location": None, "status": 302, "wrote": "All"}
    states = [("armed", "ping", 20), ("acting", "qiao", 40), ("unknown", "ruan", 500), ("manual", "shen", 90_000),
              ("refused", "tang", 4_000), ("not_booked", "tang", 9_000), ("released", "tang", 700),
              ("confirmed", "tang", 80_000)]
    for number, (state, name, back) in enumerate(states):
        task = tasks[name]
        user, account, country, group, facility, date, hour = one(
            db, """SELECT user_id, portal_account_id, country, portal_schedule_id, booked_facility, booked_date, booked_time
            FROM task WHERE id = ?""", task)
        sent = state not in ("armed", "released")
        live = state in ("acting", "unknown")
        done = state not in ("armed", "acting", "unknown")
        read = [reading(back - 20, date), reading(back - 100, date)] if sent and state != "acting" else []
        target = str((NOW + timedelta(days=40 + number)).date())
        if state == "confirmed":
            read = [reading(back - 20, target)]
        put(db, "intent", id=fresh(), task_id=task, user_id=user, portal_account_id=account, country=country,
            portal_schedule_id=group, state=state, epoch=1, expected_facility=facility, expected_date=date,
            expected_time=hour, target_facility=92, target_date=target, target_time="09:45" if sent else None,
            attempts_before=3, armed_at=at(seconds=back + 5), acting_at=at(seconds=back + 2) if sent else None,
            t0=at(seconds=back) if sent else None, readings={"readings": read},
            evidence=evidence if sent and state != "acting" else {},
            next_read_at=at(seconds=-30) if live else None, settled_at=at(seconds=max(back - 300, 0)) if done else None,
            passed_on=1 if state == "unknown" else 0)


def states(db, tasks):
    moved = at(seconds=5)

    def move(name, status, reason, verdict, evidence=None, **more):
        values = {"status": status, "reason": reason, "verdict": verdict, "verdict_since": moved, "status_since": moved,
                  "verdict_evidence": json.dumps(evidence or {}), "updated_at": moved, **more}
        names = ", ".join(f"{column} = ?" for column in values)
        db.execute(f"UPDATE task SET {names} WHERE id = ?", (*values.values(), tasks[name]))

    move("ping", "active", None, "booking", {"facility": "Ottawa", "date": "2027-01-01"})
    move("qiao", "active", None, "booking", {"facility": "Ottawa", "date": "2027-01-02"}, reschedules_used=1)
    move("ruan", "active", None, "booking_unconfirmed", {"facility": "Ottawa", "date": "2027-01-03"}, reschedules_used=1,
         next_try_at=at(seconds=-30))
    move("shen", "error", "booking_unconfirmed", "booking_unconfirmed", {"reason": "booking_unconfirmed"}, reschedules_used=1)
    move("tang", "processing", None, "waiting_first_look")
    move("umar", "submitted", None, "credentials_rejected")
    # One that was deleted after its user was told of a day: its hold waits for one last read.
    third = one(db, "SELECT id FROM task WHERE status = 'draft' AND deleted_at IS NULL LIMIT 1")[0]
    db.execute("UPDATE task SET deleted_at = ?, last_read_at = ?, updated_at = ? WHERE id = ?",
               (at(hours=1), at(hours=-40), moved, third))
    stopped = one(db, "SELECT id FROM task WHERE status = 'draft' AND deleted_at IS NULL LIMIT 1")[0]
    wish = one(db, "SELECT wish FROM task WHERE id = ?", tasks["ping"])[0]
    db.execute("""UPDATE task SET status = 'stopped', reason = 'by_user', wish = ?, submitted_at = ?, verdict = 'paused',
        unit_price = 0, unit_discount = 0, priced_for = 1, total_price = 0, discount_lines = '[]', updated_at = ?
        WHERE id = ?""", (wish, at(days=2), moved, stopped))


KINDS = [
    ("submitted", {"held": 38.0}), ("started", {}), ("paused", {}), ("deleted", {}), ("signed_in", {}), ("watching", {}),
    ("edited", {"changed": ["end_date", "required_cities"]}), ("status", {"status": "error", "reason": "captcha"}),
    ("trouble", {"code": "bad_gateway"}), ("standby", {"step": "sign_in", "because": "hot"}),
    ("alerted", {"facility": "Toronto", "date": "2027-02-03", "seen_at": at(hours=3)}),
    ("attempted", {"wrote": "All", "status": 302, "location": "/en-ca/niv/schedule/1/appointment", "flash": None,
                   "error": None}),
    ("nothing_sent", {"wrote": "Nothing", "status": None, "location": None, "flash": None, "error": "timeout"}),
    ("booking_unconfirmed", {"read_again": at(hours=2)}),
    ("booked", {"from": {"date": "2027-08-23", "time": "08:15", "facility": "Toronto", "facility_zh": "多伦多"},
                "to": {"date": "2027-03-29", "time": "09:15", "facility": "Ottawa", "facility_zh": "渥太华"},
                "days": 147, "charged": 38.0}),
    ("booked_by_user", {"from": None, "to": {"date": "2027-03-29", "time": "09:15", "facility": "Ottawa",
                                             "facility_zh": "渥太华"}, "days": None, "charged": 38.0}),
    ("not_booked", {"facility": "Ottawa", "date": "2027-02-03"}),
    *[("not_booked_because", {"facility": "Toronto", "date": "2027-02-03", "stop": stop}) for stop in (
        {"why": "notify_only"}, {"why": "changed"}, {"why": "reschedules_used"}, {"why": "last_attempt"},
        {"why": "deadline_passed"}, {"why": "rejected", "rejection": {"rule": "city_not_wanted"}})],
    *[("slot_gone", {"facility": "Toronto", "date": "2027-02-03", "why": why})
      for why in ("no_times", "taken_for_another", "account_resting", "not_reached", "no_budget")],
    ("changed_outside", {"from": None, "to": None}),
    ("lists_differ", {"facility": "Toronto", "agreed_percent": 40, "tries": 12}),
    ("lists_shared_again", {"facility": "Toronto", "agreed_percent": 97, "tries": 30}),
    ("group_accepted", {"held": 3.5}),
]


def journal(db, task):
    for number, (kind, data) in enumerate(KINDS):
        put(db, "journal", id=fresh(), task_id=task, at=at(days=1, seconds=-number), kind=kind, data=data)


NEW = {"date": "2027-02-03", "time": "08:15", "facility": "Toronto", "facility_zh": "多伦多"}
OLD = {"date": "2027-09-01", "time": "10:30", "facility": "Ottawa", "facility_zh": "渥太华"}
MAILS = {
    "already_registered": {}, "session_revoked": {}, "password_changed": {"at": "2026-11-20 08:15 UTC", "others_only": True},
    "email_change_notice": {"new": "l***@example.com"},
    "booked": {"names": "PING 0", "old": OLD, "new": NEW, "days_advanced": 210, "charged": "38.00 CAD",
               "change_deadline": "2027-01-20 08:15", "task_id": "t"},
    "needs_you": {"reason": "fee_expired", "names": "PING 0", "released": "5.00 CAD", "task_id": "t"},
    "hold_released": {"names": "PING 0", "released": "5.00 CAD", "task_id": "t"},
    "appointment_alert": {"facility": "Toronto", "facility_zh": "多伦多", "date": "2027-02-03", "names": "PING 0",
                          "task_id": "t"},
    "new_sign_in": {"browser": "Firefox", "os": "Android", "network": "203.0.113.x", "at": "2026-11-20 08:15 UTC"},
    "totp_changed": {"enabled": True}, "account_deleted": {"forfeited": "5.00 CAD"},
    "credential_leaving": {"username": "ping@example.com", "leaves_on": "2027-02-10"},
    "credential_rejected": {"username": "ping@example.com"},
}


def columns(db, table):
    return {name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")}


def mails(db):
    """Builds of before migration 0036 had one kind of channel, and a word for it in each row."""
    older = {"channel": "mail"} if "channel" in columns(db, "outbox") else {}
    user, address = one(db, "SELECT id, email FROM users WHERE email = 'mei@example.com'")
    for number, (template, data) in enumerate(MAILS.items()):
        tried, dead, claimed = number % 4 == 1, number % 4 == 2, number % 4 == 3
        put(db, "outbox", id=fresh(), dedup_key=f"saved:{template}", **older, user_id=user, recipient=address,
            language="zh" if number % 2 else "en", template=template, data=data, created_at=at(hours=2),
            due_at=at(minutes=-9 if tried else 30), attempts=3 if tried or dead else int(claimed), epoch=int(claimed),
            claimed_by="single" if claimed else None, claimed_till=at(minutes=-5) if claimed else None, delivered_at=None,
            dead_at=at(minutes=20) if dead else None, last_error="451 try again later" if tried or dead else None)


def sign_ins(db):
    user, session = one(db, """SELECT users.id, session.id FROM users JOIN session ON session.user_id = users.id
        WHERE email = 'mei@example.com' LIMIT 1""")
    # Somebody who has not proven their address, registered twice.
    newcomer = fresh()
    password = one(db, "SELECT password_hash FROM users WHERE id = ?", user)[0]
    put(db, "users", id=newcomer, email="Lan@example.com", email_normalised="lan@example.com", password_hash=password,
        language="zh", auto_stop=0, referral_code="lan-code", created_at=at(hours=5), updated_at=at(hours=5), contested=1)
    for kind, used in (("verify_email", None), ("reset_password", at(hours=1))):
        put(db, "token", token_hash=secrets.token_bytes(32), user_id=newcomer, kind=kind, created_at=at(hours=5),
            expires_at=at(hours=-19), used_at=used, password_hash=password if kind == "verify_email" else None,
            language="zh" if kind == "verify_email" else None)
    put(db, "email_change", token_hash=secrets.token_bytes(32), user_id=user, email="mei.new@example.com",
        created_at=at(hours=1), expires_at=at(hours=-23), used_at=None, ended_at=None)
    put(db, "mail_request", id=fresh(), kind="change_email", email="mei.new@example.com",
        email_normalised="mei.new@example.com", user_id=user, created_at=at(hours=1), due_at=at(hours=1), resolved_at=None)
    put(db, "mail_request", id=fresh(), kind="register", email="kai@example.com", email_normalised="kai@example.com",
        password_hash=password, language="zh", created_at=at(minutes=1), due_at=at(minutes=1), resolved_at=None)
    put(db, "identity", issuer="https://accounts.example.com", subject="1001", user_id=user, created_at=at(days=3),
        used_at=at(days=1))
    for purpose in ("sign_in", "step_up"):
        put(db, "oidc_flow", state_hash=secrets.token_bytes(32), cookie_hash=secrets.token_bytes(32), purpose=purpose,
            user_id=user if purpose == "step_up" else None, session_id=session if purpose == "step_up" else None,
            language="en", remembered=1, created_at=at(minutes=3), expires_at=at(minutes=-7), used_at=None)
    put(db, "bootstrap", token_hash=secrets.token_bytes(32), cookie_hash=secrets.token_bytes(32), user_id=user,
        remembered=0, created_at=at(seconds=30), expires_at=at(seconds=-30), used_at=None)
    put(db, "session", id=fresh(), user_id=user, remembered=0, created_at=at(days=2), expires_at=at(days=1),
        revoked_at=at(days=1), revoked_reason="signed_out")
    if not one(db, "SELECT 1 FROM recovery_code"):
        put(db, "recovery_code", user_id=user, code_fp=secrets.token_bytes(32), used_at=None)
    if not one(db, "SELECT 1 FROM verify_failure"):
        put(db, "verify_failure", id=fresh(), login_fp=secrets.token_bytes(32), failed_at=at(minutes=3))


def money(db, tasks):
    """An unknown payment, a failed refund; books that add up are left as they are."""
    put(db, "card_stray", intent_id="pi_stray", first_seen_at=at(hours=3), next_read_at=at(hours=-3), readings=2, outcome=None)
    if not one(db, "SELECT 1 FROM payment_card"):
        user = one(db, "SELECT user_id FROM card_payment LIMIT 1")[0]
        put(db, "payment_card", user_id=user, card_fp=secrets.token_bytes(32), first_seen_at=at(hours=3))
    put(db, "ledger_freeze", id=1, at=at(minutes=2), why="kept for the story of an older build")


def rest(db, tasks):
    put(db, "alert", id=fresh(), task_id=tasks["tang"], facility=94, day="2027-02-03", alerted_at=at(hours=3), gone_at=None)
    put(db, "alert", id=fresh(), task_id=tasks["tang"], facility=94, day="2027-02-01", alerted_at=at(hours=6),
        gone_at=at(hours=5))
    put(db, "parse_failure", page="groups", what="no heading", shape="ab12", count=3, first_at=at(days=3), last_at=at(days=1))
    if not one(db, "SELECT 1 FROM credential WHERE leaving_told_at IS NOT NULL"):
        db.execute("UPDATE credential SET leaving_told_at = ? WHERE username = 'wangjiaqi@example.com'", (at(days=1),))
    db.execute("UPDATE credential SET health = 'rejected', health_since = ? WHERE username = 'umar@example.com'", (at(hours=1),))
    db.execute("UPDATE portal_account SET health = 'cooling', not_before = ?, health_since = ? WHERE id = "
               "(SELECT portal_account_id FROM task WHERE id = ?)", (at(hours=-2), at(hours=1), tasks["shen"]))
    user = one(db, "SELECT id FROM users WHERE email = 'mei@example.com'")[0]
    if columns(db, "question"):
        notices(db, user, tasks["tang"])
    if columns(db, "portal_pause"):
        outward(db, tasks["tang"])
    if not one(db, "SELECT 1 FROM idempotency"):
        put(db, "idempotency", user_id=user, route="POST /topup/use", key="k1", body_fp=secrets.token_bytes(32),
            answer={"status": 200, "body": {}}, created_at=at(hours=1))
    if not one(db, "SELECT 1 FROM throttle"):
        put(db, "throttle", subject="login:ab12", failures=3, last_at=at(minutes=3), not_before=at(minutes=2))
    if not one(db, "SELECT 1 FROM rating"):
        put(db, "rating", task_id=tasks["linzhixia"], user_id=one(db, "SELECT user_id FROM task WHERE id = ?",
            tasks["linzhixia"])[0], stars=4, comment="Quick", rated_at=at(minutes=1))


def notices(db, user, task):
    """A question that waits, one that was answered and booked, a channel that waits for its code, and quiet hours."""
    for day, answered in (("2027-02-04", False), ("2027-02-05", True)):
        put(db, "question", id=fresh(), task_id=task, facility=94, day=day, wish_version=1, token_hash=secrets.token_bytes(32),
            seen_at=at(hours=3), accepted_at=at(hours=3), answered_at=at(hours=2) if answered else None,
            sent_at=at(hours=2) if answered else None, gone_at=at(hours=1) if answered else None,
            outcome="booked" if answered else None)
    put(db, "channel", id=fresh(), user_id=user, kind="bark", label="bark.example.com", target_version=1, state="pending",
        position=1, events=["booked", "needs_you"], proof="code", proof_hash=secrets.token_bytes(32),
        proof_expires_at=at(minutes=-9), consented_at=at(minutes=1), created_at=at(minutes=1))
    put(db, "notification_setting", user_id=user, quiet_from="22:30", quiet_to="07:00", zone="America/Toronto",
        questions_at_night=0, digest="daily", digested_at=at(days=1), updated_at=at(days=2))


def outward(db, task):
    """What an engine leaves that died while an account was polled, while a login was verified, and a pause of another host."""
    here, elsewhere = "portal.example.com", "elsewhere.example.com"
    put(db, "portal_host", host=here, verify_at=at(seconds=1), spare=1, wanted=1, not_before=at(minutes=1))
    put(db, "verify_place", host=here, place=0, holder=fresh(), until=at(seconds=-30))
    put(db, "portal_pause", host=elsewhere, at=at(hours=1), why="kept for the story of an older build")
    if not one(db, "SELECT 1 FROM account_lease"):
        account = one(db, "SELECT portal_account_id FROM task WHERE id = ?", task)[0]
        put(db, "account_lease", portal_account_id=account, job="poll", turn=1, taken_at=at(seconds=9))
