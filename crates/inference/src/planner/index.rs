//! The index of every calendar in one pass over columns: written so that the compiler vectorises it.

/// One column per quantity, one row per calendar; instants are relative to the time the columns were brought to.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Unseen useful days expected alive.
    pub expected_unseen: Vec<f32>,
    /// Arrivals a second now.
    pub arrival: Vec<f32>,
    /// Deaths a second.
    pub death: Vec<f32>,
    /// Value of a day.
    pub value: Vec<f32>,
    /// Seconds since the last poll.
    pub since: Vec<f32>,
    /// Not before this many seconds from the columns' time.
    pub hold: Vec<f32>,
    /// Whether the hold waits for an account, which may be ready earlier than it was said to.
    pub waits_for_account: Vec<bool>,
    /// Seconds from the columns' time at which a calendar is compelled: polled whatever its index.
    pub compelled_in: Vec<f32>,
    /// The pool whose accounts look.
    pub pool: Vec<u32>,
    /// The indices of the last pass.
    pub index: Vec<f32>,
}

/// The index of a compelled calendar, above that of any other; the seconds it is late by are added.
pub(super) const COMPELLED: f32 = 1e6;
/// What stands for one over the price of a compelled row: above that of any pool.
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

    /// Brings every row `seconds` further.
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

    /// Holds a row until an account is ready.
    pub fn hold_for_account(&mut self, row: usize, seconds: f64) {
        self.hold[row] = seconds as f32;
        self.waits_for_account[row] = true;
    }

    /// Ends the holds of compelled rows that wait for an account: whichever account is ready first is theirs.
    pub fn retry_compelled(&mut self) {
        for row in 0..self.hold.len() {
            if self.waits_for_account[row] && self.compelled_in[row] <= 0.0 {
                self.hold(row, 0.0);
            }
        }
    }

    /// Reckons every index `ahead` seconds from the columns' time.
    pub fn reckon(&mut self, ahead: f32) {
        if ahead == 0.0 {
            // A decision is for now: what is there is there, and the exponential is most of the work.
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
            // Past its peak the stock only melts: what is there is all a poll can bring.
            let gain = value[row] * (now - (since[row] + ahead) * slope.max(0.0));
            let late = ahead - compelled_in[row];
            let gain = if late >= 0.0 { COMPELLED + late } else { gain };
            let wanted = (hold[row] <= ahead) & (value[row] > 0.0);
            index[row] = if wanted { gain } else { -1.0 };
        }
    }

    /// Returns the row with the most index per price of its pool, at least one price, and at least `floor` where it was
    /// polled less than `free_after` seconds before; by `inverse` prices, `ahead` seconds from the columns' time. A
    /// compelled row has no price: its pool may be empty.
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

/// `e^{−x}` for `x >= 0`, to less than one part in 10⁴, without branches: the power of two is put together from bits.
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
    fn the_quick_exponential_is_close() {
        for step in 0..2_000 {
            let x = step as f32 * 0.01;
            let (quick, exact) = (super::exp_minus(x), (-x).exp());
            assert!((quick - exact).abs() <= exact * 1e-4, "e^-{x}: {quick} against {exact}");
        }
    }
}
