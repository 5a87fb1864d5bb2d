//! Scenarios: named initial states of the world.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};

use crate::{
    Error, World,
    world::{
        NewAccount, NewGroup,
        accounts::{Appointment, Status},
        arrivals::{Source, weekday},
        country::COUNTRIES,
        country::facility,
        slots::NewSlot,
    },
};

/// Names of all scenarios. `pool:N` has a number of accounts, e.g. `pool:50`.
pub const NAMES: [&str; 8] =
    ["demo", "quiet", "busy", "hostile", "empty", "countries", "fingerprints", "pool:N"];

/// Password of every account in the scenarios.
pub const PASSWORD: &str = "Maple-2026";

/// Builds the world of a scenario. All dates are relative to `now`.
///
/// # Errors
/// Returns [`Error::UnknownScenario`] for an unknown name.
pub fn build(name: &str, seed: u64, now: DateTime<Utc>) -> Result<World, Error> {
    let mut world = World::new(seed, now);
    world.scenario = name.to_owned();
    match name {
        "empty" => {}
        "quiet" => people(&mut world),
        "demo" => demo(&mut world),
        "busy" => {
            people(&mut world);
            world.config.old_slot_returns = true;
            arrivals(&mut world, 40.0, 0.0, 0.0);
        }
        "hostile" => {
            people(&mut world);
            hostile(&mut world);
        }
        "countries" => countries(&mut world),
        "fingerprints" => fingerprints(&mut world),
        _ => match name.strip_prefix("pool:").and_then(|n| n.parse::<usize>().ok()) {
            Some(accounts) if accounts <= 20_000 => pool(&mut world, accounts),
            _ => return Err(Error::UnknownScenario(name.to_owned())),
        },
    }
    Ok(world)
}

fn demo(world: &mut World) {
    people(world);
    world.config.old_slot_returns = true;
    world.config.latency_ms = (60, 240);
    // These dates are earlier than Lin Zhixia's appointment and stay until they are booked, so that
    // the demo's first poll finds a date.
    for (place, days, time) in [(94, 128, (9, 15)), (92, 141, (8, 30)), (91, 156, (10, 0))] {
        put_in(world, "B1/B2", place, days, time);
    }
    // These dates are later than she accepts, as most dates in a real calendar. Her task's page
    // shows them as dates that do not fit.
    for (at, place) in [94, 92, 91].into_iter().enumerate() {
        let first = 163 + 4 * at as i64;
        for (step, days) in (first..first + 150).step_by(11 + 3 * at).enumerate() {
            put_in(world, "B1/B2", place, days, (8 + step as u32 % 6, 15 * (step as u32 % 4)));
        }
    }
    // These dates are in the first two months, the default window of a new task, and in cities that
    // the seeded task does not watch. A task created by hand therefore finds a date.
    for (place, days, time) in [(90, 38, (9, 0)), (95, 44, (8, 45)), (89, 50, (11, 15))] {
        for pool in pools(world) {
            put_in(world, &pool, place, days, time);
        }
    }
    // After that, earlier and earlier dates appear, mostly at five-minute marks, so that the demo
    // always has something to find.
    for place in [94, 92, 91] {
        world.add_source(Source {
            days_ahead: (20, 125),
            median_life_seconds: 600.0,
            phantoms: 0.0,
            rivals: 0.05,
            ..source(place, 420.0)
        });
    }
    for place in [89, 90, 93, 95] {
        world.add_source(Source {
            days_ahead: (30, 240),
            phantoms: 0.0,
            rivals: 0.1,
            ..source(place, 900.0)
        });
    }
}

fn hostile(world: &mut World) {
    world.config.ban.enabled = true;
    world.config.restricted_hours = true;
    world.config.old_slot_returns = true;
    world.config.lag.probability = 0.5;
    world.config.null_times = true;
    world.config.latency_ms = (150, 2500);
    arrivals(world, 90.0, 0.4, 0.5);
}

fn arrivals(world: &mut World, mean_gap_seconds: f64, phantoms: f64, rivals: f64) {
    for place in [89, 90, 91, 92, 93, 94, 95] {
        world.add_source(Source { phantoms, rivals, ..source(place, mean_gap_seconds) });
    }
}

fn source(place: u32, mean_gap_seconds: f64) -> Source {
    Source {
        pool: "B1/B2".to_owned(),
        facility: place,
        mean_gap_seconds,
        at_marks: 0.7,
        median_life_seconds: 120.0,
        life_sigma: 1.2,
        days_ahead: (14, 400),
        burst: 2,
        phantoms: 0.0,
        rivals: 0.0,
    }
}

/// Returns the names of all slot pools, without duplicates.
fn pools(world: &World) -> Vec<String> {
    let mut pools: Vec<String> = world
        .groups
        .values()
        .flat_map(|g| &g.applicants)
        .filter_map(|a| a.visa_class.split_whitespace().next().map(str::to_owned))
        .collect();
    pools.sort_unstable();
    pools.dedup();
    pools
}

fn put_in(world: &mut World, pool: &str, place: u32, days: i64, time: (u32, u32)) {
    let at = booked(world.now, place, days, time);
    world.add_slot(NewSlot {
        pool: pool.to_owned(),
        facility: place,
        date: at.date,
        time: at.time,
        lifetime_seconds: None,
        delay_seconds: None,
        max_party: 9,
        phantom: false,
    });
}

fn booked(now: DateTime<Utc>, place: u32, days: i64, time: (u32, u32)) -> Appointment {
    let today = facility(place).map_or_else(|| now.date_naive(), |f| f.today(now));
    Appointment {
        facility: place,
        date: weekday(today + Duration::days(days)),
        time: NaiveTime::from_hms_opt(time.0, time.1, 0).unwrap_or_default(),
    }
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|n| (*n).to_owned()).collect()
}

fn account(world: &mut World, username: &str, groups: Vec<NewGroup>) {
    world.add_account(NewAccount { username: username.to_owned(), password: PASSWORD.to_owned(), groups });
}

/// Adds the invented users of the demo.
fn people(world: &mut World) {
    let now = world.now;
    let today: NaiveDate = now.date_naive();
    let holds = |place, days, time, people: &[&str]| NewGroup {
        applicants: names(people),
        appointment: Some(booked(now, place, days, time)),
        ..NewGroup::default()
    };
    account(world, "linzhixia@example.com", vec![holds(94, 275, (8, 15), &["LIN ZHIXIA", "CHEN YUHANG"])]);
    let groups = vec![
        holds(94, 301, (9, 30), &["WANG JIAQI"]),
        NewGroup { applicants: names(&["ZHAO MINGYUE"]), ..NewGroup::default() },
        NewGroup {
            applicants: names(&["HE SICHENG"]),
            status: Some(Status::PayVisaFee),
            ..NewGroup::default()
        },
        NewGroup {
            applicants: names(&["GUO RUOXI"]),
            fee_receipt: Some(today - Duration::days(401)),
            ..NewGroup::default()
        },
        holds(95, 250, (8, 45), &["SUN HAORAN", "TANG YIFEI", "SUN LELE"]),
        NewGroup {
            visa_class: Some("F-1 Student (Academic or language)".to_owned()),
            ..holds(91, 190, (10, 15), &["XU ANRAN"])
        },
        NewGroup { archived: true, ..holds(92, 20, (9, 0), &["WANG JIAQI"]) },
    ];
    account(world, "wangjiaqi@example.com", groups);
    account(world, "sunhaoran@example.com", vec![holds(92, 220, (9, 0), &["SUN HAORAN"])]);
    account(world, "nogroups@example.com", Vec::new());
}

/// Adds one account for each country without fingerprint appointments but Canada, with a booked
/// group and one that is not booked. Each city has a date that stays, and arrivals.
fn countries(world: &mut World) {
    let now = world.now;
    world.config.old_slot_returns = true;
    for country in COUNTRIES.iter().filter(|country| !country.is_canada() && country.asc.is_empty()) {
        let in_country = |name: &str| NewGroup {
            country: Some(country),
            applicants: vec![format!("{name} {}", country.code.to_uppercase())],
            ..NewGroup::default()
        };
        let first = country.facilities[0].id;
        let booked = NewGroup { appointment: Some(booked(now, first, 275, (8, 15))), ..in_country("HOLDER") };
        account(world, &format!("{}@example.com", country.code), vec![booked, in_country("APPLICANT")]);
        for place in country.facilities {
            put_in(world, "B1/B2", place.id, 128, (9, 15));
            world.add_source(Source { days_ahead: (20, 250), ..source(place.id, 420.0) });
        }
    }
}

/// Adds one account for each country with fingerprint appointments, e.g. `mx@example.com`. It has a
/// group with both appointments and one that is not booked.
///
/// If a consulate collects fingerprints itself, a third group is booked there. Each consulate has
/// four dates that stay, of which at least two have fingerprint dates, and arrivals.
fn fingerprints(world: &mut World) {
    let now = world.now;
    world.config.old_slot_returns = true;
    for country in COUNTRIES.iter().filter(|country| !country.asc.is_empty()) {
        let in_country = |name: &str| NewGroup {
            country: Some(country),
            applicants: vec![format!("{name} {}", country.code.to_uppercase())],
            ..NewGroup::default()
        };
        let (first, asc) = (country.facilities[0].id, country.asc[0].id);
        let pair = NewGroup {
            appointment: Some(booked(now, first, 275, (8, 15))),
            asc: Some(booked(now, asc, 270, (7, 30))),
            ..in_country("HOLDER")
        };
        let mut groups = vec![pair, in_country("APPLICANT")];
        if let Some(place) = country.facilities.iter().find(|place| place.collects_biometrics) {
            let appointment = Some(booked(now, place.id, 280, (8, 15)));
            groups.push(NewGroup { appointment, ..in_country("COLLECTED") });
        }
        account(world, &format!("{}@example.com", country.code), groups);
        for place in country.facilities {
            // No arrival is at this time, so that none replaces a date that stays.
            for days in [128, 132, 136, 140] {
                put_in(world, "B1/B2", place.id, days, (9, 20));
            }
            world.add_source(Source { days_ahead: (20, 250), ..source(place.id, 420.0) });
        }
    }
}

fn pool(world: &mut World, accounts: usize) {
    let now = world.now;
    for number in 1..=accounts {
        let group = NewGroup {
            applicants: vec![format!("POOL PERSON {number:04}")],
            appointment: Some(booked(now, 94, 260 + (number % 60) as i64, (8, 15))),
            ..NewGroup::default()
        };
        account(world, &format!("pool{number:04}@example.com"), vec![group]);
    }
    for place in [94, 92, 91] {
        world.add_source(Source { days_ahead: (14, 250), ..source(place, 300.0) });
    }
}
