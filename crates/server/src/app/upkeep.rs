//! What is done beside the calls: images of what has grown, and answers that are kept no longer.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use pawl_ledger::id::BoardName;

use super::{App, boards::LiveBoard, now};

/// How often it is looked whether there is something to do.
const EVERY: Duration = Duration::from_secs(60);
/// How many entries a board gains at least between two images of its state; so many are folded when
/// it is opened after a crash, some milliseconds' work for each thousand.
const IMAGE_ENTRIES: u64 = 10_000;
/// The part of its log that a large board gains between two, so that what images write stays a few
/// times what is in the last one.
const IMAGE_SHARE: u64 = 8;
/// How many rounds pass between two looks for answers that are kept no longer: an hour's.
const FORGET_ROUNDS: u64 = 60;

impl App {
    /// Keeps the store in order until the server stops.
    pub async fn keep_up(self: Arc<Self>) {
        let mut stopping = self.stopping();
        let mut imaged = BTreeMap::new();
        if let Err(error) = self.finish_deletions().await {
            tracing::warn!(%error, "something of deleted boards is left; the next start goes on with it");
        }
        for round in 1_u64.. {
            tokio::select! {
                () = tokio::time::sleep(EVERY) => {}
                _ = stopping.wait_for(|it| *it) => return,
            }
            for live in self.open_boards().await {
                self.image_if_grown(&live, &mut imaged).await;
                if round.is_multiple_of(FORGET_ROUNDS)
                    && let Err(error) = self.ledger.forget_answers(&live.open, now()).await
                {
                    tracing::warn!(board = %live.name, %error, "old answers were not deleted");
                }
            }
            let idle = Duration::from_secs(self.limits().board_idle_seconds);
            self.close_idle(idle, idle.min(EVERY)).await;
        }
    }

    /// Lets boards go from memory that nobody holds and nobody asked for lately: for `idle`, or for
    /// `archived` where nothing is written to them any more. The next call opens them again.
    pub async fn close_idle(&self, idle: Duration, archived: Duration) {
        for name in self.opened() {
            let Some(slot) = self.slot(&name) else {
                continue;
            };
            // Whoever asks for it meanwhile waits here, and opens it again.
            let mut held = slot.hold().await;
            let Some(live) = held.as_ref().filter(|live| Arc::strong_count(live) == 1) else {
                continue;
            };
            let is_archived = live.open.state.read().archived.is_some();
            let patience = if is_archived { archived } else { idle };
            if live.idle() < patience {
                continue;
            }
            // Behind it in the queue, so that all that was handed in is in the store by then.
            self.write_image(live).await;
            held.take();
            tracing::debug!(board = %name, "let go from memory");
        }
    }

    async fn image_if_grown(&self, live: &LiveBoard, imaged: &mut BTreeMap<BoardName, u64>) {
        let position = live.open.line().durable().0;
        let last = imaged.entry(live.name.clone()).or_insert(position);
        if position - *last >= IMAGE_ENTRIES.max(position / IMAGE_SHARE) {
            self.write_image(live).await;
            *last = position;
        }
    }

    /// Writes an image of every open board, so that the next start need not fold their logs.
    pub async fn write_images(&self) {
        for live in self.open_boards().await {
            self.write_image(&live).await;
        }
    }

    async fn write_image(&self, live: &LiveBoard) {
        if let Err(error) = self.ledger.write_image(&live.open).await {
            tracing::warn!(board = %live.name, %error, "no image of the board was written");
        }
    }
}
