//! Computation of every calendar's index in one pass over columns, written so that the compiler
//! vectorises it.

/// Columns by quantity, with one row per calendar. Times are relative to the columns' time, set by
/// the last advance.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Expected number of unseen useful dates that still exist.
    pub expected_unseen: Vec<f32>,
    /// Arrivals per second now.
    pub arrival: Vec<f32>,
    /// Deaths per second.
    pub death: Vec<f32>,
    /// Value of a date.
    pub value: Vec<f32>,
    /// Seconds since the last poll.
    pub since: Vec<f32>,
    /// Seconds from the columns' time before which the calendar is not polled.
    pub hold: Vec<f32>,
    /// `true` if the hold waits for an account, which may be ready earlier than announced.
    pub waits_for_account: Vec<bool>,
    /// Seconds from the columns' time at which a calendar is compelled: polled regardless of its
    /// index.
    pub compelled_in: Vec<f32>,
    /// The pool whose accounts poll the calendar.
    pub pool: Vec<u32>,
    /// Indices of the last pass.
    pub index: Vec<f32>,
}

/// Index of a compelled calendar, above that of any other. The seconds by which it is late are
/// added.
pub(super) const COMPELLED: f32 = 1e6;
/// Substitute for the inverse price of a compelled row, above that of any pool.
const BEFORE_ALL: f32 = 1e20;

impl Columns {
    pub fn push(&mut self, pool: usize) {
        self.pool.push(u32::try_from(pool).unwrap_or(u32::MAX));
        self.expected_unseen.push(0.0);
        self.arrival.push(0.0);
        self.death.push(1.0);
        self.value.push(0.0);
        self.since.push(0.0);
        self.hold.push(0.0);
        self.waits_for_account.push(false);
        self.compelled_in.push(0.0);
        self.index.push(0.0);
    }

    /// Advances every row by `seconds`.
    pub fn advance(&mut self, seconds: f32) {
        for row in 0..self.expected_unseen.len() {
            let lasting = exp_minus(self.death[row] * seconds);
            self.expected_unseen[row] =
                self.expected_unseen[row] * lasting + self.arrival[row] * (1.0 - lasting) / self.death[row];
            self.since[row] += seconds;
            self.hold[row] -= seconds;
            self.compelled_in[row] -= seconds;
        }
    }

    /// Holds a row for `seconds`.
    pub fn hold(&mut self, row: usize, seconds: f64) {
        self.hold[row] = seconds as f32;
        self.waits_for_account[row] = false;
    }

    /// Holds a row for `seconds`, the announced time until an account is ready.
    pub fn hold_for_account(&mut self, row: usize, seconds: f64) {
        self.hold[row] = seconds as f32;
        self.waits_for_account[row] = true;
    }

    /// Ends the holds of compelled rows that wait for an account. Each gets the account that is
    /// ready first.
    pub fn retry_compelled(&mut self) {
        for row in 0..self.hold.len() {
            if self.waits_for_account[row] && self.compelled_in[row] <= 0.0 {
                self.hold(row, 0.0);
            }
        }
    }

    /// Computes every index `ahead` seconds from the columns' time.
    pub fn reckon(&mut self, ahead: f32) {
        if ahead == 0.0 {
            // A decision for the current time needs no projection, and the exponential is most of
            // the cost.
            return self.pass(ahead, |expected_unseen, _, _| expected_unseen);
        }
        self.pass(ahead, |expected_unseen, arrival, death| {
            let lasting = exp_minus(death * ahead);
            expected_unseen * lasting + arrival * (1.0 - lasting) / death
        });
    }

    fn pass(&mut self, ahead: f32, expected_unseen_then: impl Fn(f32, f32, f32) -> f32) {
        let rows = self.index.len();
        let (expected_unseen, arrival, death) =
            (&self.expected_unseen[..rows], &self.arrival[..rows], &self.death[..rows]);
        let (value, since) = (&self.value[..rows], &self.since[..rows]);
        let (hold, compelled_in) = (&self.hold[..rows], &self.compelled_in[..rows]);
        let index = &mut self.index[..rows];
        for row in 0..rows {
            let now = expected_unseen_then(expected_unseen[row], arrival[row], death[row]);
            let slope = arrival[row] - death[row] * now;
            // After its peak the stock only decreases: a poll gains at most what exists now.
            let gain = value[row] * (now - (since[row] + ahead) * slope.max(0.0));
            let late = ahead - compelled_in[row];
            let gain = if late >= 0.0 { COMPELLED + late } else { gain };
            let wanted = (hold[row] <= ahead) & (value[row] > 0.0);
            index[row] = if wanted { gain } else { -1.0 };
        }
    }

    /// Returns the row with the highest index relative to the price of its pool, `ahead` seconds
    /// from the columns' time.
    ///
    /// The index must be at least one price. It must be at least `floor` if the row was polled less
    /// than `free_after` seconds before. `inverse` holds the inverse prices per pool. A compelled
    /// row has no price, because its pool may be empty.
    pub fn best(&self, inverse: &[f32], floor: f32, free_after: f32, ahead: f32) -> Option<usize> {
        let mut best = (1.0_f32, None);
        for (row, (index, pool)) in self.index.iter().zip(&self.pool).enumerate() {
            let ratio =
                if *index >= COMPELLED { index * BEFORE_ALL } else { index * inverse[*pool as usize] };
            let least = if self.since[row] + ahead >= free_after { 0.0 } else { floor };
            if ratio >= best.0 && *index >= least {
                best = (ratio, Some(row));
            }
        }
        best.1
    }
}

/// Computes `e^{−x}` for `x >= 0` with a relative error below 10⁻⁴, without branches. The power of
/// two is assembled from bits.
fn exp_minus(x: f32) -> f32 {
    let y = (-x * std::f32::consts::LOG2_E).max(-100.0);
    // Truncation towards zero leaves a fraction in (−1, 0].
    let whole = y as i32;
    let part = y - whole as f32;
    let tail = 0.009_618_1 + part * (0.001_333_4 + part * 0.000_154_0);
    let poly =
        1.0 + part * (std::f32::consts::LN_2 + part * (0.240_226_5 + part * (0.055_504_1 + part * tail)));
    f32::from_bits(((whole + 127) << 23).cast_unsigned()) * poly
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_fast_exponential_is_accurate_to_four_digits() {
        for step in 0..2_000 {
            let x = step as f32 * 0.01;
            let (quick, exact) = (super::exp_minus(x), (-x).exp());
            assert!((quick - exact).abs() <= exact * 1e-4, "e^-{x}: {quick} against {exact}");
        }
    }
}
