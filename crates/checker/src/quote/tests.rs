//! Quotes in sources of every kind.
