//! Concurrent histories, each explained by some order of its acts: what everybody is answered is what
//! a board answers that does one act at a time, at a moment between the call and its answer.

mod calls;
mod histories;
mod made_up;
mod model;
