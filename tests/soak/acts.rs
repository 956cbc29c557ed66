//! What people do, by their job; how often is the number beside it.

mod deciding;
mod mistakes;
mod reading;
mod running;
mod upkeep;
mod writing;

use tonic::Status;

use crate::people::{Job, Person};

pub(crate) use self::writing::last;

/// Does one thing.
pub(crate) async fn act(person: &mut Person) -> Result<(), Status> {
    if person.rng.u32(0..8) == 0 {
        return mistakes::mistake(person).await;
    }
    if person.rng.u32(0..5) == 0 {
        return reading::look(person).await;
    }
    match person.job {
        Job::Agent if person.rng.u32(0..10) == 0 => upkeep::ask(person).await,
        Job::Agent => writing::work(person).await,
        Job::Verifier => deciding::verify(person).await,
        Job::Arbiter => deciding::arbitrate(person).await,
        Job::Auditor => reading::audit(person).await,
        Job::Operator if person.rng.bool() => upkeep::keep(person).await,
        Job::Operator => running::run(person).await,
    }
}
