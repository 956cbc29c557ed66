//! Judges whether two statements can stand together; imports no store and no wire format.
