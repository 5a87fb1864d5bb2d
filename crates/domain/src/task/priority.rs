//! Priority of a task over others that want the same date, set by an operator: from 0, the default,
//! to 1. It is stored in thousandths, so that rounding cannot change the order.

/// Highest stored value.
const HIGHEST: f64 = 1_000.0;

/// Parses a priority as operators write it, e.g. `0.8`.
///
/// # Errors
/// Returns a message if the text is not a number from 0 to 1.
pub fn read(text: &str) -> Result<i32, String> {
    let number: f64 = text.trim().parse().map_err(|_| "a number from 0 to 1, e.g. 0.8".to_owned())?;
    if !(0.0..=1.0).contains(&number) {
        return Err("priorities are from 0 to 1".to_owned());
    }
    #[allow(clippy::cast_possible_truncation, reason = "from 0 to 1000")]
    let thousandths = (number * HIGHEST).round() as i32;
    Ok(thousandths)
}

/// Returns the priority on the wire, from 0 to 1.
#[must_use]
pub fn to_wire(thousandths: i32) -> f64 {
    f64::from(thousandths) / HIGHEST
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: 4.2.09
    #[test]
    fn a_priority_is_a_number_from_zero_to_one() {
        for (text, kept) in
            [("0", 0), ("0.8", 800), ("0.5", 500), ("1", 1_000), (" 0.0004 ", 0), ("1.0", 1_000)]
        {
            assert_eq!(read(text), Ok(kept), "{text}");
        }
        for wrong in ["", "high", "-0.1", "1.01", "NaN", "inf", "0,8"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!((to_wire(800) - 0.8).abs() < f64::EPSILON);
    }
}
