//! Redaction of scripts and JSON lists.

use super::address::address;
use super::mapping::Mapping;
use super::text::{text, with_words};
use super::words::SCRIPT_WORDS;
use serde_json::Value;

/// Keys of the JSON lists that the client reads.
const KEYS: [&str; 5] = ["date", "business_day", "available_times", "business_times", "error"];

/// Keeps the punctuation of a script and the words that the client reads. Replaces everything else.
pub(super) fn script(mapping: &mut Mapping, raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while !rest.is_empty() {
        let end = rest.find(['\\', '"', '\'', '`']).unwrap_or(rest.len());
        out.push_str(&with_words(mapping, &rest[..end], &SCRIPT_WORDS));
        rest = &rest[end..];
        let Some(sign) = rest.chars().next() else { break };
        rest = &rest[1..];
        out.push(sign);
        if sign == '\\' {
            let escaped = rest.chars().next().filter(|c| "nrt\"'`/\\".contains(*c));
            if let Some(c) = escaped {
                out.push(c);
                rest = &rest[1..];
            }
            continue;
        }
        let quoted = rest.find(sign).map(|end| &rest[..end]);
        let is_address = |text: &&str| {
            (text.starts_with('/') || text.starts_with("http")) && !text.contains(['\\', '<', ' ', '\n'])
        };
        if let Some(quoted) = quoted.filter(is_address) {
            out.push_str(&address(mapping, quoted));
            rest = &rest[quoted.len()..];
        }
    }
    out
}

/// Replaces the texts, numbers and unknown keys of a JSON value.
pub(super) fn json(mapping: &mut Mapping, value: Value) -> Value {
    match value {
        Value::String(content) => Value::String(text(mapping, &content)),
        Value::Number(number) => {
            let digits: String = number.to_string().chars().filter(char::is_ascii_digit).collect();
            mapping.number(&digits).parse::<u64>().map_or(Value::Null, Value::from)
        }
        Value::Array(items) => items.into_iter().map(|item| json(mapping, item)).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| {
                let key = if KEYS.contains(&key.as_str()) { key } else { mapping.token(&key) };
                (key, json(mapping, value))
            })
            .collect(),
        other => other,
    }
}
