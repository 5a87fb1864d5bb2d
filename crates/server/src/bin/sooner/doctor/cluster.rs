//! Checks of the running servers and their roles, and of the database's standbys.

use domain::clock::Instant;
use server::config::PoolSizes;
use server::config::roles::Role;
use store::replication::Standbys;
use store::{Error, Tx};

use super::Finding;

/// Checks that the running servers have all roles and use one portal.
pub async fn nodes(tx: &mut Tx, now: Instant) -> Result<Finding, Error> {
    let nodes = store::node::running(tx, now).await?;
    if nodes.is_empty() {
        return Ok(Finding::ok("servers", "no server runs"));
    }
    let says: Vec<String> =
        nodes.iter().map(|n| format!("{} ({}; {})", n.name, n.roles, n.version)).collect();
    let says = says.join(", ");
    if let Some(other) = nodes.iter().find(|node| node.host != nodes[0].host) {
        let says = format!(
            "{} uses the portal {}, {} uses {}; the engine books for all users at the portal of its own server",
            nodes[0].name, nodes[0].host, other.name, other.host
        );
        return Ok(Finding::bad("servers", says, "give all of them the same --portal-url"));
    }
    let does = |role: &Role| nodes.iter().any(|node| node.roles.split(", ").any(|name| name == role.name()));
    let missing: Vec<&str> = Role::ALL.iter().filter(|role| !does(role)).map(|role| role.name()).collect();
    if missing.is_empty() {
        return Ok(Finding::ok("servers", says));
    }
    let todo = "start a server with this role: sooner serve --role …";
    Ok(Finding::bad("servers", format!("{says}: no server has the role {}", missing.join(", ")), todo))
}

/// Checks that a committed booking survives the loss of the database's machine, i.e. that a
/// synchronous standby confirms commits.
pub async fn standbys(tx: &mut Tx, pools: &PoolSizes) -> Result<Option<Finding>, Error> {
    Ok(store::replication::standbys(tx).await?.map(|found| judge(&found, pools)))
}

fn judge(found: &Standbys, pools: &PoolSizes) -> Finding {
    let is_required = pools.require_standby;
    let Standbys { waits_for, may_tell, connected, synchronous } = found;
    if waits_for.is_empty() {
        let todo = "name one in synchronous_standby_names (docs/OPERATING.md, Failover)";
        return match (is_required, connected) {
            (true, _) => Finding::bad(
                "standby",
                "a synchronous standby is required and none is set; nothing is booked",
                todo,
            ),
            (false, 0) => Finding::ok("standby", "none: one machine, without failover"),
            (false, n) => {
                let says = format!(
                    "{n} connected, none synchronous; a failover may lose the record of a sent booking"
                );
                Finding::warn("standby", says, todo)
            }
        };
    }
    if !may_tell {
        let says = format!("commits wait for {waits_for}; the database role may not read its state");
        return Finding::warn("standby", says, "permit the role to read it: GRANT pg_read_all_stats TO …");
    }
    if *synchronous == 0 {
        let says = format!(
            "commits wait for {waits_for}, and none of {connected} connected standbys is synchronous; nothing is booked"
        );
        return Finding::bad(
            "standby",
            says,
            "start the standby, or remove it from synchronous_standby_names",
        );
    }
    if !is_required {
        let says = format!("{synchronous} synchronous, but servers would also book without one");
        return Finding::warn(
            "standby",
            says,
            "set SOONER_REQUIRE_STANDBY=true for the servers and for this command",
        );
    }
    Finding::ok("standby", format!("{synchronous} synchronous, of {connected}"))
}

#[cfg(test)]
mod tests {
    use server::config::Settings;

    use super::{PoolSizes, Standbys, judge};
    use crate::doctor::Level;

    #[test]
    fn each_standby_setup_has_its_own_finding() {
        let found = |waits_for: &str, may_tell, connected, synchronous| Standbys {
            waits_for: waits_for.to_owned(),
            may_tell,
            connected,
            synchronous,
        };
        let cases = [
            (found("", true, 0, 0), false, Level::Ok, "one machine"),
            (found("", true, 0, 0), true, Level::Bad, "nothing is booked"),
            (found("", false, 1, 0), false, Level::Warn, "may lose"),
            (found("b", false, 1, 0), true, Level::Warn, "may not read"),
            (found("b", true, 0, 0), true, Level::Bad, "none of 0 connected"),
            (found("b", true, 1, 1), false, Level::Warn, "would also book without"),
            (found("b", true, 2, 1), true, Level::Ok, "1 synchronous, of 2"),
        ];
        for (found, is_required, level, word) in cases {
            let pools = PoolSizes { require_standby: is_required, ..Settings::defaults().pools };
            let finding = judge(&found, &pools);
            assert!(finding.level == level && finding.says.contains(word), "{found:?}: {finding:?}");
        }
    }
}
