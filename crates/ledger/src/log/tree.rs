//! The Merkle tree over a log's entries (RFC 6962, section 2.1): SHA-256, `0x00` before a leaf,
//! `0x01` before a node.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The hash of a leaf or of a node.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeHash(pub [u8; 32]);

impl NodeHash {
    /// Reads a hash from exactly 32 bytes.
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Debug for NodeHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .take(6)
            .try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// Hashes an entry's bytes as written.
pub fn leaf_hash(entry: &[u8]) -> NodeHash {
    NodeHash(
        Sha256::new()
            .chain_update([0])
            .chain_update(entry)
            .finalize()
            .into(),
    )
}

/// The tree of the entries so far, as far as it is needed to append: the roots of its perfect
/// subtrees from left to right, one for each bit set in the size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frontier {
    size: u64,
    subtrees: Vec<NodeHash>,
}

impl Frontier {
    /// The number of leaves.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf.
    pub fn push(&mut self, leaf: NodeHash) {
        let mut node = leaf;
        for _ in 0..self.size.trailing_ones() {
            let Some(left) = self.subtrees.pop() else {
                break;
            };
            node = node_hash(left, node);
        }
        self.subtrees.push(node);
        self.size += 1;
    }

    /// The tree hash; of no leaves, the hash of the empty string.
    pub fn root(&self) -> NodeHash {
        self.subtrees
            .iter()
            .rev()
            .copied()
            .reduce(|right, left| node_hash(left, right))
            .unwrap_or_else(|| NodeHash(Sha256::digest([]).into()))
    }
}

impl FromIterator<NodeHash> for Frontier {
    fn from_iter<I: IntoIterator<Item = NodeHash>>(leaves: I) -> Self {
        let mut frontier = Self::default();
        leaves.into_iter().for_each(|leaf| frontier.push(leaf));
        frontier
    }
}

fn node_hash(left: NodeHash, right: NodeHash) -> NodeHash {
    let hash = Sha256::new()
        .chain_update([1])
        .chain_update(left.0)
        .chain_update(right.0);
    NodeHash(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: NodeHash) -> String {
        hash.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The recursive definition of the RFC, as an oracle for the incremental one.
    fn definition(leaves: &[NodeHash]) -> NodeHash {
        match leaves {
            [] => NodeHash(Sha256::digest([]).into()),
            [leaf] => *leaf,
            _ => {
                let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
                node_hash(definition(left), definition(right))
            }
        }
    }

    #[test]
    fn roots_of_the_certificate_transparency_test_tree() {
        // The eight leaves that the reference implementation of RFC 6962 publishes with its roots.
        let leaves: [&[u8]; 8] = [
            &[],
            &[0x00],
            &[0x10],
            &[0x20, 0x21],
            &[0x30, 0x31],
            &[0x40, 0x41, 0x42, 0x43],
            &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
            &[
                0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d,
                0x6e, 0x6f,
            ],
        ];
        let root = |count: usize| -> String {
            hex(leaves[..count]
                .iter()
                .map(|leaf| leaf_hash(leaf))
                .collect::<Frontier>()
                .root())
        };
        assert_eq!(
            root(0),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(
            root(1),
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
        );
        assert_eq!(
            root(2),
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
        );
        assert_eq!(
            root(8),
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
        );
    }

    #[test]
    fn appending_agrees_with_the_definition() {
        let leaves: Vec<NodeHash> = (0..70_u8).map(|leaf| leaf_hash(&[leaf])).collect();
        for count in 0..leaves.len() {
            let frontier: Frontier = leaves[..count].iter().copied().collect();
            assert_eq!(
                frontier.root(),
                definition(&leaves[..count]),
                "{count} leaves"
            );
        }
    }
}
