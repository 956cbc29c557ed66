//! How many connections each address has, so that one machine does not take them all.

use std::{collections::HashMap, net::IpAddr, sync::Arc};

use parking_lot::Mutex;

/// The addresses that have connections; others take no memory.
#[derive(Default)]
pub(super) struct Addresses(Mutex<HashMap<IpAddr, usize>>);

/// A connection of an address, counted until it is dropped.
pub(super) struct Address {
    addresses: Arc<Addresses>,
    address: IpAddr,
}

impl Addresses {
    /// Counts one more; nothing where the address has as many as it may.
    pub(super) fn take(self: &Arc<Self>, address: IpAddr, most: usize) -> Option<Address> {
        let address = network(address);
        let mut counts = self.0.lock();
        let count = counts.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Address {
            addresses: self.clone(),
            address,
        })
    }
}

impl Drop for Address {
    fn drop(&mut self) {
        let mut counts = self.addresses.0.lock();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// What one machine has: an address of IPv4, the first 64 bits of one of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6((address.to_bits() >> 64 << 64).into())
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share_and_gives_it_back() {
        let addresses = Arc::new(Addresses::default());
        let [one, mapped, other]: [IpAddr; 3] =
            ["10.0.0.1", "::ffff:10.0.0.1", "10.0.0.2"].map(|it| it.parse().unwrap());
        let first = addresses.take(one, 2).unwrap();
        let second = addresses.take(mapped, 2).unwrap();
        assert!(addresses.take(one, 2).is_none());
        assert!(addresses.take(other, 2).is_some());
        drop(first);
        assert!(addresses.take(one, 2).is_some());
        drop(second);
        assert!(addresses.0.lock().is_empty());
    }

    #[test]
    fn a_machine_with_many_addresses_of_a_network_is_one() {
        let addresses = Arc::new(Addresses::default());
        let [one, same, other]: [IpAddr; 3] =
            ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map(|it| it.parse().unwrap());
        let _first = addresses.take(one, 1).unwrap();
        assert!(addresses.take(same, 1).is_none());
        assert!(addresses.take(other, 1).is_some());
    }
}
