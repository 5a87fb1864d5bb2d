use std::str::FromStr;

use proptest::prelude::*;

use super::*;

/// The refused ranges of IANA's registry as first and last address, written without the code under
/// test.
const RANGES_V4: [(&str, &str); 19] = [
    ("0.0.0.0", "0.255.255.255"),
    ("10.0.0.0", "10.255.255.255"),
    ("100.64.0.0", "100.127.255.255"),
    ("127.0.0.0", "127.255.255.255"),
    ("168.63.129.16", "168.63.129.16"),
    ("169.254.0.0", "169.254.255.255"),
    ("172.16.0.0", "172.31.255.255"),
    ("192.0.0.0", "192.0.0.255"),
    ("192.0.2.0", "192.0.2.255"),
    ("192.31.196.0", "192.31.196.255"),
    ("192.52.193.0", "192.52.193.255"),
    ("192.88.99.0", "192.88.99.255"),
    ("192.168.0.0", "192.168.255.255"),
    ("192.175.48.0", "192.175.48.255"),
    ("198.18.0.0", "198.19.255.255"),
    ("198.51.100.0", "198.51.100.255"),
    ("203.0.113.0", "203.0.113.255"),
    ("224.0.0.0", "239.255.255.255"),
    ("240.0.0.0", "255.255.255.255"),
];

fn bits(address: &str) -> u32 {
    u32::from(Ipv4Addr::from_str(address).expect("an address"))
}

fn is_special(address: u32) -> bool {
    RANGES_V4.iter().any(|(first, last)| (bits(first)..=bits(last)).contains(&address))
}

fn allows(address: impl Into<IpAddr>) -> bool {
    Policy::default().allows(address.into())
}

/// Generates IPv4 addresses. Half of them are at or next to the edge of a refused range.
fn any_v4() -> impl Strategy<Value = u32> {
    let beside = (0..RANGES_V4.len(), any::<bool>(), -1_i64..=1).prop_map(|(n, first, step)| {
        let (from, to) = RANGES_V4[n];
        let end = i64::from(bits(if first { from } else { to }));
        u32::try_from((end + step).clamp(0, i64::from(u32::MAX))).expect("clamped")
    });
    prop_oneof![any::<u32>(), beside]
}

proptest! {
    #[test]
    fn only_public_v4_addresses_are_allowed(address in any_v4()) {
        prop_assert_eq!(allows(Ipv4Addr::from(address)), !is_special(address));
    }

    #[test]
    fn v4_addresses_embedded_in_v6_are_checked(address in any_v4()) {
        let [a, b, c, d] = Ipv4Addr::from(address).octets();
        let (high, low) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        let mapped = Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low);
        prop_assert_eq!(allows(mapped), !is_special(address));
        let never = [
            Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, high, low),
            Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, high, low),
            Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
            Ipv6Addr::new(0x2001, 0, high, low, 0, 0, !high, !low),
        ];
        for address in never {
            prop_assert!(!allows(address), "{address}");
        }
    }

    #[test]
    fn only_global_unicast_v6_addresses_are_allowed(address in any::<u128>()) {
        let first = (address >> 112) as u16;
        if !(0x2000..=0x3fff).contains(&first) && (address >> 32) != 0xffff {
            prop_assert!(!allows(Ipv6Addr::from(address)));
        }
        let handed_out = (address & (u128::MAX >> 16)) | (0x2a00 << 112);
        prop_assert!(allows(Ipv6Addr::from(handed_out)));
    }

    #[test]
    fn address_literals_in_any_form_are_checked(address in any_v4()) {
        let [a, b, c, d] = Ipv4Addr::from(address).octets();
        // Notations that browsers accept for the same address.
        let forms = [
            format!("https://{a}.{b}.{c}.{d}/x"),
            format!("https://{address}/x"),
            format!("https://0x{address:x}:8443/x"),
            format!("https://0{a:o}.{b}.{c}.{d}/x"),
            format!("https://[::ffff:{a}.{b}.{c}.{d}]/x"),
        ];
        for form in forms {
            let refused = Policy::default().check(&form).err() == Some(AddressError::NotPublic);
            prop_assert_eq!(refused, is_special(address), "{}", form);
        }
    }
}

#[test]
fn special_ranges_of_v6_are_refused() {
    let refused = [
        "::",
        "::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2620:4f:8000::1",
        "3fff::1",
        "5f00::1",
        "64:ff9b::7f00:1",
        "4000::1",
    ];
    for address in refused {
        assert!(!allows(Ipv6Addr::from_str(address).expect("an address")), "{address}");
    }
    for address in ["2606:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "3ffe::1"] {
        assert!(allows(Ipv6Addr::from_str(address).expect("an address")), "{address}");
    }
}

#[test]
fn urls_need_https_an_allowed_port_and_no_user_name() {
    let policy = Policy::default();
    let refused = [
        ("hooks.example.com/x", AddressError::NotAnAddress),
        ("https://", AddressError::NotAnAddress),
        ("http://hooks.example.com/", AddressError::NotHttps),
        ("ftp://hooks.example.com/", AddressError::NotHttps),
        ("https://hooks.example.com:22/", AddressError::Port),
        ("https://hooks.example.com:80/", AddressError::Port),
        ("https://ann@hooks.example.com/", AddressError::Userinfo),
        ("https://1.1.1.1@127.0.0.1/", AddressError::Userinfo),
        ("https://127.1/", AddressError::NotPublic),
        ("https://[::1]:8443/", AddressError::NotPublic),
        ("https://169.254.169.254/latest/meta-data", AddressError::NotPublic),
    ];
    for (address, reason) in refused {
        assert_eq!(policy.check(address).err(), Some(reason), "{address}");
    }
    for address in
        ["https://hooks.example.com/a?b=c", " https://hooks.example.com:8443/ ", "https://1.1.1.1/"]
    {
        assert_eq!(policy.check(address).map(|c| c.owner).ok(), Some(Owner::User), "{address}");
    }
}

#[test]
fn the_operator_can_allow_subnets_and_trust_origins() {
    let policy = Policy {
        allowed_subnets: vec![
            "10.1.0.0/16".parse().expect("a subnet"),
            "fd00::/8".parse().expect("a subnet"),
        ],
        trusted_origins: vec!["http://127.0.0.1:4002/".to_owned()],
    };
    assert!(policy.check("https://10.1.2.3/").is_ok() && policy.check("https://[fd00::1]/").is_ok());
    assert!(policy.check("https://[::ffff:10.1.2.3]/").is_ok());
    assert!(policy.check("https://10.2.0.1/").is_err() && policy.check("http://10.1.2.3/").is_err());
    let trusted = policy.check("http://127.0.0.1:4002/channels/ntfy").map(|c| c.owner);
    assert_eq!(trusted.ok(), Some(Owner::Operator));
    for address in ["http://127.0.0.1:4003/", "https://127.0.0.1:4002/", "http://127.0.0.1:4002.example.com/"]
    {
        assert!(policy.check(address).is_err(), "{address}");
    }
}

#[test]
fn known_hosts_are_matched_by_whole_labels() {
    let policy = Policy::default();
    let hosts = ["fcm.googleapis.com", "push.apple.com"];
    for address in ["https://fcm.googleapis.com/fcm/send/x", "https://web.push.apple.com/x"] {
        assert!(policy.check_host(address, &hosts).is_ok(), "{address}");
    }
    let others = [
        "https://evilpush.apple.com/",
        "https://push.apple.com.example.com/",
        "https://example.com/push.apple.com",
    ];
    for address in others {
        assert_eq!(policy.check_host(address, &hosts).err(), Some(AddressError::NotAnAddress), "{address}");
    }
}
