//! Index of a million tasks that finds the tasks that accept a date, in rank order.
//!
//! The windows of dates are stored in rank order, in blocks. A block has a bit per date that any of
//! its windows covers. A date that no window of a block covers costs one bit test. Any other date
//! costs a scan of 512 windows, sixteen bytes at a time. Insertion and removal move windows within
//! one block only.

use std::cmp::Ordering;

use chrono::{NaiveDate, TimeDelta};

/// Maximum number of windows in a block.
const BLOCK: usize = 512;
/// Number of windows scanned at once.
const LANE: usize = 64;
/// Number of bits for a block's dates. A date maps to its number modulo this, so a bit may be a
/// false positive but never a false negative.
const BITS: usize = 1024;

/// Maximum distance in days from the [`origin`] of dates with their own number.
const RANGE: i64 = 30_000;

fn origin() -> NaiveDate {
    NaiveDate::from_ymd_opt(2020, 1, 1).unwrap_or_default()
}

/// Returns the first date with its own number.
pub(crate) fn first() -> NaiveDate {
    origin() - TimeDelta::days(RANGE)
}

/// Returns the last date with its own number.
pub(crate) fn last() -> NaiveDate {
    origin() + TimeDelta::days(RANGE)
}

/// Returns a date as a small number. A date out of range counts as the nearest date in range.
#[must_use]
pub fn number(day: NaiveDate) -> i16 {
    let days = (day - origin()).num_days().clamp(-RANGE, RANGE);
    i16::try_from(days).unwrap_or_default()
}

/// Contiguous acceptable dates: `from..=until`, and not before `today + notice`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first date.
    pub from: i16,
    /// The last date; before the first if no date is acceptable.
    pub until: i16,
    /// Minimum number of days from today to the date.
    pub notice: i16,
}

impl Window {
    /// A window without a date, which reserves a task's place in the order.
    pub const EMPTY: Self = Self { from: 1, until: 0, notice: 0 };

    fn begin(self, today: i16) -> i16 {
        self.from.max(self.notice.saturating_add(today))
    }
}

/// A bit per date.
#[derive(Clone, Copy, Debug)]
struct Days([u64; BITS / 64]);

impl Days {
    const NONE: Self = Self([0; BITS / 64]);

    fn has(&self, day: i16) -> bool {
        let bit = day as u16 as usize % BITS;
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn add(&mut self, from: i16, until: i16) {
        if until < from {
            return;
        }
        let length = (i32::from(until) - i32::from(from) + 1) as usize;
        if length >= BITS {
            self.0 = [u64::MAX; BITS / 64];
            return;
        }
        let mut bit = from as u16 as usize % BITS;
        let mut left = length;
        while left > 0 {
            let here = left.min(64 - bit % 64);
            let ones = if here == 64 { u64::MAX } else { (1 << here) - 1 };
            self.0[bit / 64] |= ones << (bit % 64);
            bit = (bit + here) % BITS;
            left -= here;
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).fold(0, |any, (one, other)| any | (one & other)) != 0
    }
}

/// Windows of tasks that are adjacent in rank.
#[derive(Clone, Debug, Default)]
struct Block {
    keys: Vec<u32>,
    from: Vec<i16>,
    until: Vec<i16>,
    notice: Vec<i16>,
    /// Number of windows removed since the dates were last computed.
    left: usize,
}

impl Block {
    fn window(&self, at: usize) -> Window {
        Window { from: self.from[at], until: self.until[at], notice: self.notice[at] }
    }

    fn insert(&mut self, at: usize, key: u32, window: Window) {
        self.keys.insert(at, key);
        self.from.insert(at, window.from);
        self.until.insert(at, window.until);
        self.notice.insert(at, window.notice);
    }

    fn remove(&mut self, at: usize) {
        self.keys.remove(at);
        self.from.remove(at);
        self.until.remove(at);
        self.notice.remove(at);
    }

    fn split_off(&mut self, at: usize) -> Self {
        Self {
            keys: self.keys.split_off(at),
            from: self.from.split_off(at),
            until: self.until.split_off(at),
            notice: self.notice.split_off(at),
            left: 0,
        }
    }

    fn days(&self, today: i16) -> (Days, Days) {
        let (mut covered, mut begun) = (Days::NONE, Days::NONE);
        for at in 0..self.keys.len() {
            let window = self.window(at);
            let begin = window.begin(today);
            covered.add(begin, window.until);
            begun.add(begin, begin);
        }
        (covered, begun)
    }

    /// Returns a bit for each window from `at` on that covers the date. No bit past the lane's end
    /// is set.
    fn hits(&self, at: usize, asked: DayQuery) -> u64 {
        let end = (at + LANE).min(self.keys.len());
        let (from, until, notice) = (&self.from[at..end], &self.until[at..end], &self.notice[at..end]);
        let DayQuery { day, begun_from, today } = asked;
        let hit = |from: i16, until: i16, notice: i16| {
            let begin = from.max(notice.saturating_add(today));
            (begin >= begun_from) & (begin <= day) & (until >= day)
        };
        // Without a branch, so that the CPU compares eight windows at once. Most lanes end here.
        let any = from
            .iter()
            .zip(until)
            .zip(notice)
            .fold(0_i16, |any, ((f, u), n)| any | i16::from(hit(*f, *u, *n)));
        if any == 0 {
            return 0;
        }
        let mut hits = 0;
        for (bit, ((f, u), n)) in from.iter().zip(until).zip(notice).enumerate() {
            hits |= u64::from(hit(*f, *u, *n)) << bit;
        }
        hits
    }
}

/// A date, the first date on which a window may begin, and today.
#[derive(Clone, Copy, Debug)]
struct DayQuery {
    day: i16,
    begun_from: i16,
    today: i16,
}

/// Tasks in rank order, each with the windows of dates that it accepts.
///
/// A task is a key chosen by the caller. The caller also provides the order, which must not change
/// while the key is in the set.
#[derive(Clone, Debug, Default)]
pub struct DaySet {
    blocks: Vec<Block>,
    /// Dates that some window covers, per block.
    covered: Vec<Days>,
    /// Dates on which some window begins, per block.
    begun: Vec<Days>,
    today: i16,
}

impl DaySet {
    /// Inserts a task with its windows, in order and disjoint. A task without windows is inserted
    /// with [`Window::EMPTY`].
    pub fn insert(&mut self, key: u32, windows: &[Window], order: &dyn Fn(u32, u32) -> Ordering) {
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
            self.covered.push(Days::NONE);
            self.begun.push(Days::NONE);
        }
        let block = self.block_of(key, order).min(self.blocks.len() - 1);
        let keys = &self.blocks[block].keys;
        let at = match keys.last() {
            // The task submitted last mostly ranks last.
            Some(last) if order(*last, key) == Ordering::Less => keys.len(),
            _ => keys.partition_point(|k| order(*k, key) == Ordering::Less),
        };
        for (more, window) in windows.iter().enumerate() {
            self.blocks[block].insert(at + more, key, *window);
            let begin = window.begin(self.today);
            self.covered[block].add(begin, window.until);
            self.begun[block].add(begin, begin);
        }
        if self.blocks[block].keys.len() > BLOCK {
            self.split(block, at);
        }
    }

    /// Removes a task.
    pub fn remove(&mut self, key: u32, order: &dyn Fn(u32, u32) -> Ordering) {
        let mut block = self.block_of(key, order);
        while let Some(found) = self.blocks.get_mut(block) {
            let at = found.keys.partition_point(|k| *k != key && order(*k, key) == Ordering::Less);
            while found.keys.get(at) == Some(&key) {
                found.remove(at);
                found.left += 1;
            }
            let (emptied, was_last) = (found.keys.is_empty(), at == found.keys.len());
            if emptied {
                self.blocks.remove(block);
                self.covered.remove(block);
                self.begun.remove(block);
            } else {
                if found.left > BLOCK / 4 {
                    self.add_up(block);
                }
                block += 1;
            }
            // Only the windows at a block's end can continue in the next block.
            if !was_last {
                return;
            }
        }
    }

    /// Recomputes the blocks' dates for `today`. The caller must call it before a match on another
    /// day than the last.
    pub fn set_today(&mut self, today: i16) {
        if self.today == today {
            return;
        }
        self.today = today;
        for block in 0..self.blocks.len() {
            self.add_up(block);
        }
    }

    /// Returns the tasks with a window that covers `day` and begins after `after`, in rank order,
    /// as of the last [`set_today`](Self::set_today).
    pub fn candidates(&self, day: i16, after: Option<i16>) -> Candidates<'_> {
        let begun_from = after.map_or(i16::MIN, |after| after.saturating_add(1));
        let asked = DayQuery { day, begun_from, today: self.today };
        let begins = after.map(|_| {
            let mut begins = Days::NONE;
            begins.add(begun_from, day);
            begins
        });
        Candidates { set: self, asked, begins, block: 0, at: 0, base: 0, hits: 0, open: false }
    }

    /// Returns every task in rank order. A task with several windows is repeated.
    pub fn keys(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| block.keys.iter().copied())
    }

    /// Returns the size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let block = |b: &Block| {
            b.keys.capacity() * 4 + (b.from.capacity() + b.until.capacity() + b.notice.capacity()) * 2
        };
        self.blocks.iter().map(block).sum::<usize>()
            + self.blocks.capacity() * size_of::<Block>()
            + (self.covered.capacity() + self.begun.capacity()) * size_of::<Days>()
    }

    /// Returns the first block whose last key does not precede `key`.
    fn block_of(&self, key: u32, order: &dyn Fn(u32, u32) -> Ordering) -> usize {
        self.blocks.partition_point(|block| {
            block.keys.last().is_some_and(|last| *last != key && order(*last, key) == Ordering::Less)
        })
    }

    fn split(&mut self, block: usize, at: usize) {
        let length = self.blocks[block].keys.len();
        // A split at the end leaves the full block full; a split within a block gives both halves
        // room.
        let at =
            if at + 8 >= length && block + 1 == self.blocks.len() { at.min(length - 1) } else { length / 2 };
        let tail = self.blocks[block].split_off(at);
        self.blocks.insert(block + 1, tail);
        self.covered.insert(block + 1, Days::NONE);
        self.begun.insert(block + 1, Days::NONE);
        self.add_up(block);
        self.add_up(block + 1);
    }

    fn add_up(&mut self, block: usize) {
        (self.covered[block], self.begun[block]) = self.blocks[block].days(self.today);
        self.blocks[block].left = 0;
    }
}

/// Candidates of one date, found lazily.
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    set: &'a DaySet,
    asked: DayQuery,
    /// Dates of which a window must begin on one.
    begins: Option<Days>,
    block: usize,
    /// The next lane of the block.
    at: usize,
    /// Start of the current lane; `hits` are its windows not yet returned.
    base: usize,
    hits: u64,
    /// `true` if the block needs a scan.
    open: bool,
}

impl Candidates<'_> {
    fn is_worth_a_scan(&self) -> bool {
        self.set.covered[self.block].has(self.asked.day)
            && self.begins.is_none_or(|begins| self.set.begun[self.block].meets(&begins))
    }

    fn next_block(&mut self) {
        self.block += 1;
        self.at = 0;
        self.open = false;
    }
}

impl Iterator for Candidates<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.hits == 0 {
            let block = self.set.blocks.get(self.block)?;
            if !self.open && !self.is_worth_a_scan() {
                self.next_block();
                continue;
            }
            self.open = true;
            self.hits = block.hits(self.at, self.asked);
            self.base = self.at;
            self.at += LANE;
            if self.hits == 0 && self.at >= block.keys.len() {
                self.next_block();
            }
        }
        let bit = self.hits.trailing_zeros() as usize;
        self.hits &= self.hits - 1;
        let block = &self.set.blocks[self.block];
        let key = block.keys[self.base + bit];
        if self.hits == 0 && self.at >= block.keys.len() {
            self.next_block();
        }
        Some(key)
    }
}
