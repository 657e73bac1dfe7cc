//! Contracts of the reader, by small models.
