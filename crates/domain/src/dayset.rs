//! Who accepts a day, first in rank first, among a million: windows of days in rank order, in blocks.
//!
//! A block keeps a bit per day that any of its windows covers, so that a day nobody of a block wants costs one bit, and
//! one that somebody wants costs a scan of 512 windows, sixteen bytes at a time. Entering or leaving moves windows
//! within one block only.

use std::cmp::Ordering;

use chrono::{NaiveDate, TimeDelta};

/// Windows in one block at most.
const BLOCK: usize = 512;
/// Windows scanned at once.
const LANE: usize = 64;
/// Bits of a block's days: a day is counted modulo this, so that a bit may promise too much but never too little.
const BITS: usize = 1024;

/// Days further than this from the [`origin`] have no number of their own.
const RANGE: i64 = 30_000;

fn origin() -> NaiveDate {
    NaiveDate::from_ymd_opt(2020, 1, 1).unwrap_or_default()
}

/// The first day with a number of its own.
pub(crate) fn first() -> NaiveDate {
    origin() - TimeDelta::days(RANGE)
}

/// The last day with a number of its own.
pub(crate) fn last() -> NaiveDate {
    origin() + TimeDelta::days(RANGE)
}

/// A day as a small number; days out of range count as the nearest in range.
#[must_use]
pub fn number(day: NaiveDate) -> i16 {
    let days = (day - origin()).num_days().clamp(-RANGE, RANGE);
    i16::try_from(days).unwrap_or_default()
}

/// Days that are acceptable without a gap: `from..=until`, and not before `today + notice`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first day.
    pub from: i16,
    /// The last day; before the first when no day is acceptable.
    pub until: i16,
    /// Days that must lie between today and the day.
    pub notice: i16,
}

impl Window {
    /// A window without a day: keeps a task's place.
    pub const EMPTY: Self = Self { from: 1, until: 0, notice: 0 };

    fn begin(self, today: i16) -> i16 {
        self.from.max(self.notice.saturating_add(today))
    }
}

/// A bit per day.
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

/// Windows of tasks next to each other in rank.
#[derive(Clone, Debug, Default)]
struct Block {
    keys: Vec<u32>,
    from: Vec<i16>,
    until: Vec<i16>,
    notice: Vec<i16>,
    /// Windows that left since the days were last added up.
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

    /// Which of the windows from `at` on cover the day: a bit each, none set past the lane's end.
    fn hits(&self, at: usize, asked: DayQuery) -> u64 {
        let end = (at + LANE).min(self.keys.len());
        let (from, until, notice) = (&self.from[at..end], &self.until[at..end], &self.notice[at..end]);
        let DayQuery { day, begun_from, today } = asked;
        let hit = |from: i16, until: i16, notice: i16| {
            let begin = from.max(notice.saturating_add(today));
            (begin >= begun_from) & (begin <= day) & (until >= day)
        };
        // Without a branch, so that eight are compared at once; most lanes end here.
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

/// A day, the first day a window may begin on, and today.
#[derive(Clone, Copy, Debug)]
struct DayQuery {
    day: i16,
    begun_from: i16,
    today: i16,
}

/// Tasks in rank order, each with the windows of days it accepts.
///
/// Tasks are keys of the caller's, who also knows their order; it must not change while a key is in.
#[derive(Clone, Debug, Default)]
pub struct DaySet {
    blocks: Vec<Block>,
    /// Per block: days some window covers.
    covered: Vec<Days>,
    /// Per block: days some window begins on.
    begun: Vec<Days>,
    today: i16,
}

impl DaySet {
    /// Enters a task with its windows, in order and apart; a task without any takes [`Window::EMPTY`].
    pub fn insert(&mut self, key: u32, windows: &[Window], order: &dyn Fn(u32, u32) -> Ordering) {
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
            self.covered.push(Days::NONE);
            self.begun.push(Days::NONE);
        }
        let block = self.block_of(key, order).min(self.blocks.len() - 1);
        let keys = &self.blocks[block].keys;
        let at = match keys.last() {
            // Who asks last mostly ranks last.
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

    /// Takes a task out.
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
            // Only the windows at a block's end can go on in the next.
            if !was_last {
                return;
            }
        }
    }

    /// Makes the blocks' days those of `today`; must be called before a match on another day than the last.
    pub fn turn(&mut self, today: i16) {
        if self.today == today {
            return;
        }
        self.today = today;
        for block in 0..self.blocks.len() {
            self.add_up(block);
        }
    }

    /// Tasks with a window that covers `day` and begins after `after`, first in rank first; as of the last turn.
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

    /// Every task, first in rank first; one with several windows comes as often.
    pub fn keys(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| block.keys.iter().copied())
    }

    /// Bytes it occupies.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let block = |b: &Block| {
            b.keys.capacity() * 4 + (b.from.capacity() + b.until.capacity() + b.notice.capacity()) * 2
        };
        self.blocks.iter().map(block).sum::<usize>()
            + self.blocks.capacity() * size_of::<Block>()
            + (self.covered.capacity() + self.begun.capacity()) * size_of::<Days>()
    }

    /// The first block whose last key does not come before `key`.
    fn block_of(&self, key: u32, order: &dyn Fn(u32, u32) -> Ordering) -> usize {
        self.blocks.partition_point(|block| {
            block.keys.last().is_some_and(|last| *last != key && order(*last, key) == Ordering::Less)
        })
    }

    fn split(&mut self, block: usize, at: usize) {
        let length = self.blocks[block].keys.len();
        // At the end a full block stays full; within, both halves get room.
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

/// The candidates of one day, found as they are asked for.
#[derive(Clone, Debug)]
pub struct Candidates<'a> {
    set: &'a DaySet,
    asked: DayQuery,
    /// Days on one of which a window must begin.
    begins: Option<Days>,
    block: usize,
    /// The next lane of the block.
    at: usize,
    /// Where the lane at hand began, and its windows not answered yet.
    base: usize,
    hits: u64,
    /// Whether the block was found worth a scan.
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
