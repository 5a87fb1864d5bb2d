//! Five-minute cycle: number of unseen dates that exist now, for arrivals that follow the clock's
//! marks.

/// Length in seconds of the cycle at whose start new slots were reported to appear.
pub const CYCLE: f64 = 300.0;
/// Number of parts of the cycle. The first contains the mark.
pub const PARTS: usize = 6;
/// Start of each part in seconds after the mark; the last entry closes the cycle. The first part is
/// short, so that a poll at its end sees what came with the mark.
pub const EDGES: [f64; PARTS + 1] = [0.0, 4.0, 60.0, 120.0, 180.0, 240.0, CYCLE];

/// Share of survivors below which the past is ignored.
const FORGOTTEN: f64 = 1e-5;

/// Returns the part of the cycle that contains a time (seconds since the epoch).
#[must_use]
pub fn part(at: f64) -> usize {
    let into = at.rem_euclid(CYCLE);
    (1..PARTS).rev().find(|i| into >= EDGES[*i]).unwrap_or(0)
}

/// Returns the first edge after a time.
#[must_use]
pub fn next_edge(at: f64) -> f64 {
    let mark = (at / CYCLE).floor() * CYCLE;
    EDGES.iter().map(|edge| mark + edge).find(|edge| *edge > at).unwrap_or(mark + CYCLE)
}

/// Returns the expected number of dates that exist at `to` and arrived since `from`.
///
/// Assumes `profile` arrivals per second and the death rate `mu` per second. Times are in seconds
/// since the epoch.
#[must_use]
pub fn alive(profile: &[f64; PARTS], mu: f64, from: f64, to: f64) -> f64 {
    let mut total = 0.0;
    walk(mu, from, to, |part, share| total += profile[part] * share);
    total
}

/// Returns the same numbers separately for each part of the cycle.
#[must_use]
pub fn alive_by_part(profile: &[f64; PARTS], mu: f64, from: f64, to: f64) -> [f64; PARTS] {
    let mut by_part = [0.0; PARTS];
    walk(mu, from, to, |part, share| by_part[part] += profile[part] * share);
    by_part
}

/// Walks back from `to` to `from`. Calls `give` for each stretch with its part and its survivors at
/// one arrival per second.
fn walk(mu: f64, from: f64, to: f64, mut give: impl FnMut(usize, f64)) {
    let mut end = to;
    let mut survive = 1.0;
    let mut stretch = |end: &mut f64, survive: &mut f64, times: f64| {
        let (mark, into) = cycle_before(*end);
        let part = (0..PARTS).rev().find(|i| into > EDGES[*i]).unwrap_or(0);
        let start = (mark + EDGES[part]).max(from);
        let lasting = (-mu * (*end - start)).exp();
        give(part, times * *survive * (1.0 - lasting) / mu);
        *survive *= lasting;
        *end = start;
    };
    while end > from && survive > FORGOTTEN {
        let at_mark = cycle_before(end).1 >= CYCLE;
        let whole = ((end - from) / CYCLE).floor();
        if at_mark && whole >= 2.0 {
            // Whole cycles differ only in age: one walk, multiplied by the geometric sum of the
            // ages.
            let fade = (-mu * CYCLE).exp();
            let times = (1.0 - fade.powf(whole)) / (1.0 - fade);
            let mut inner = survive;
            let last = end - CYCLE;
            while end > last {
                stretch(&mut end, &mut inner, times);
            }
            end = last - (whole - 1.0) * CYCLE;
            survive *= fade.powf(whole);
        } else {
            stretch(&mut end, &mut survive, 1.0);
        }
    }
}

/// Returns the mark before a time and the seconds since it, in (0, 300]. Marks are whole numbers,
/// so rounding errors do not accumulate.
fn cycle_before(end: f64) -> (f64, f64) {
    let mark = ((end / CYCLE).ceil() - 1.0) * CYCLE;
    (mark, end - mark)
}
